/** Tells followers elsewhere that a person of ours lives at another address now. */
import { accountMoved } from '@murmuration/contracts/accounts'
import { followerInboxes, recordsOf } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { relayInboxes } from '../delivery/relay.js'
import { react } from '../doors.js'
import { writeMove } from '../vocabulary/write-activity.js'

export const onAccountMoved = react(accountMoved, 'on-account-moved', async (ctx, e) => {
  if (!e.local) return
  const person = (await recordsOf(ctx, [e.id])).get(e.id)
  // Who came back, or moved on, before this was told says nothing any more.
  if (!person || person.moved_to_id !== e.target) return
  const activity = writeMove({
    id: `${e.uri}#moves/${e.eventId}`,
    actor: e.uri,
    target: e.targetUri,
    followers: person.followers_url ?? `${e.uri}/followers`,
  })
  await publish(ctx, {
    actorId: e.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Move',
    about: activity.id,
    inboxes: [...(await followerInboxes(ctx, e.id)), ...(await relayInboxes(ctx))],
  })
})
