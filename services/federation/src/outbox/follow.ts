/** Writes the activities for follows between local and remote accounts, and publishes responses to received Follows. */
import { createHash } from 'node:crypto'
import {
  type OutgoingActivity,
  writeAccept,
  writeFollow,
  writeReject,
} from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { sendActivity } from './direct-activity.js'
import type { Publishing } from './publish.js'

/** A follow or block between a local and a remote account, as its event describes it. */
export interface Relation {
  id: string
  uri: string | null
  eventId: string
}

/** Local side of a follow: an account, or the instance actor. */
type Ours = Pick<AccountRecord, 'id' | 'uri'>

/** Writes the Follow of a remote account. */
export const writeOwnFollow = (e: Relation, our: AccountRecord, their: AccountRecord): OutgoingActivity =>
  writeFollow({ id: e.uri ?? `${our.uri}#follows/${e.id}`, actor: our.uri, object: their.uri })

/** Writes the Accept or Reject of a remote Follow. The id of the Accept or Reject contains the event id. */
export const followResponse = (
  type: 'accept' | 'reject',
  e: Pick<Relation, 'uri' | 'eventId'>,
  our: Ours,
  their: AccountRecord,
): OutgoingActivity => {
  const write = type === 'accept' ? writeAccept : writeReject
  return write({
    id: `${our.uri}#${type}s/follows/${e.eventId}`,
    actor: our.uri,
    follow: { id: e.uri, actor: their.uri, object: our.uri },
  })
}

/** Value of `about` that the Accept and Reject of one Follow share. */
export const followObject = (e: Pick<Relation, 'uri'>, our: Ours, their: AccountRecord): string =>
  e.uri ?? `${their.uri} follows ${our.uri}`

/**
 * Publishes the Accept or Reject of a Follow that causes no event, because it was refused or had been accepted before.
 *
 * The Accept or Reject is sent once per id of the Follow.
 */
export const sendFollowResponse = (
  ctx: Publishing,
  type: 'accept' | 'reject',
  it: { uri: string | null; our: Ours; their: AccountRecord },
): Promise<boolean> => {
  const seq = ctx.ids.next()
  const name = it.uri === null ? seq : createHash('sha256').update(it.uri).digest('base64url')
  return sendActivity(ctx, {
    actorId: it.our.id,
    seq,
    activity: followResponse(type, { uri: it.uri, eventId: name }, it.our, it.their),
    about: followObject(it, it.our, it.their),
    their: it.their,
  })
}
