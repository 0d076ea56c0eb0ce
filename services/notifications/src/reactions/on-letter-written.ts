/** Accounts wrote a letter: it goes out as a mail. */
import { letterWritten } from '@murmuration/contracts/accounts'
import { queueMail } from '../changes/mail.js'
import { react } from '../doors.js'

export const onLetterWritten = react(letterWritten, 'on-letter-written', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'letter', source: `letter:${e.id}`, recipient_id: '0', facts: { letter: e.id } }),
  ),
)
