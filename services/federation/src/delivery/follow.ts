/** Follows between people here and elsewhere, as activities. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { type OutgoingActivity, writeAccept, writeFollow, writeReject } from '../vocabulary/write-activity.js'

/** A relation as events tell of it. */
export interface Relation {
  id: string
  uri: string | null
  eventId: string
}

/** Our Follow of somebody. */
export const ourFollow = (e: Relation, our: AccountRecord, their: AccountRecord): OutgoingActivity =>
  writeFollow({ id: e.uri ?? `${our.uri}#follows/${e.id}`, actor: our.uri, object: their.uri })

/** Our answer to somebody's Follow, with an id of its own each time it is given. */
export const ourAnswer = (
  answer: 'accept' | 'reject',
  e: Pick<Relation, 'uri' | 'eventId'>,
  our: AccountRecord,
  their: AccountRecord,
): OutgoingActivity => {
  const write = answer === 'accept' ? writeAccept : writeReject
  return write({
    id: `${our.uri}#${answer}s/follows/${e.eventId}`,
    actor: our.uri,
    follow: { id: e.uri, actor: their.uri, object: our.uri },
  })
}

/** What Accept and Reject of one Follow share. */
export const followThing = (e: Pick<Relation, 'uri'>, our: AccountRecord, their: AccountRecord): string =>
  e.uri ?? `${their.uri} follows ${our.uri}`
