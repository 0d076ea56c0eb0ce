/** People of ours who are gone for good: their addresses answer 410 from now on, and every server that knew them is told. */

import { writeDeleteOfActor } from '@murmuration/activitypub/vocabulary/write-activity'
import { accountRemoved } from '@murmuration/contracts/accounts'
import { followerInboxes } from '../delivery/audience.js'
import { tellEnded } from '../delivery/late-reader.js'
import { publish } from '../delivery/publish.js'
import { react } from '../doors.js'
import { ageArchives } from '../store/archive.js'
import { noteGone } from '../store/gone-actor.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', async (ctx, e) => {
  if (!e.local) return
  const activity = writeDeleteOfActor(e.uri)
  await publish(ctx, {
    actorId: e.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Delete',
    about: e.uri,
    farewell: true,
    // Relays that ever got something are among those who know the account.
    inboxes: await followerInboxes(ctx, e.id),
    receivers: 'acquainted',
    also: async (tx) => {
      await noteGone(tx, { accountId: e.id, uri: e.uri })
      await ageArchives(tx, e.id)
    },
  })
  // Who came to know the account while this was told.
  await tellEnded(ctx, [{ uri: e.uri, author: e.id }], { inboxes: [], acquainted: true })
})
