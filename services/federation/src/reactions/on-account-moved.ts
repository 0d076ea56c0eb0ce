/** Tells followers elsewhere that a person of ours lives at another address now, and servers of people who block them there too. */

import { writeMove } from '@murmuration/activitypub/vocabulary/write-activity'
import { accountMoved } from '@murmuration/contracts/accounts'
import { blockerInboxesOf, followerInboxes, recordsOf } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { relayInboxes } from '../delivery/relay.js'
import { react } from '../doors.js'

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
  const found = await Promise.all([followerInboxes(ctx, e.id), blockerInboxesOf(ctx, e.id), relayInboxes(ctx)])
  await publish(ctx, {
    actorId: e.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Move',
    about: activity.id,
    inboxes: found.flat(),
  })
})
