/** Dead letters as API entities. */
import type { DeadLetter } from '@murmuration/contracts/admin'
import type { DeadMessage, Owner } from '@murmuration/contracts/kernel'
import { idOf, reasonShown } from './rules.js'

export const deadLetterOf = (owner: Owner, letter: DeadMessage): DeadLetter => ({
  id: idOf({ owner, id: letter.id }),
  service: owner,
  consumer: letter.consumer,
  subject: letter.subject,
  message_id: letter.message_id,
  reason: reasonShown(letter.reason),
  tries: letter.tries,
  at: letter.at,
})
