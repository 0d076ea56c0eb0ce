/** Sends a changed profile to followers elsewhere, and to those whom its owner wrote to or named lately. */

import { writeUpdateOfActor } from '@murmuration/activitypub/vocabulary/write-activity'
import { localActors } from '@murmuration/contracts/accounts'
import { tellProfileJob } from '@murmuration/contracts/federation'
import { mentionedLately } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { followerInboxes, inboxOf, recordsOf } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { relayInboxes } from '../delivery/relay.js'
import { work } from '../doors.js'
import { lateTargets } from '../store/activity.js'
import { actorDocument } from '../views/actor.js'

const LATELY_MS = 2 * 86_400_000
const MOST_TARGETS = 2_000
const MOST_NAMED = 1_000

const inboxesOfNamed = async (ctx: Pick<Context, 'call'>, author: string, since: number): Promise<string[]> => {
  const { accounts } = await ctx.call(mentionedLately, { author, since, limit: MOST_NAMED })
  return [...(await recordsOf(ctx, accounts)).values()].map(inboxOf).filter((inbox) => inbox !== null)
}

export const tellProfile = work(tellProfileJob, async (ctx, { account, seq, at }) => {
  const readAfter = ctx.ids.next()
  const { actors } = await ctx.call(localActors, { ids: [account] })
  const [person] = actors
  if (!person || person.domain !== null) return
  const activity = writeUpdateOfActor(await actorDocument(ctx, person), at)
  const since = ctx.clock.now() - LATELY_MS
  const [followers, targets, named, relays] = await Promise.all([
    followerInboxes(ctx, person.id),
    lateTargets(ctx.db, person.id, new Date(since), MOST_TARGETS),
    inboxesOfNamed(ctx, person.id, since),
    relayInboxes(ctx),
  ])
  await publish(ctx, {
    actorId: person.id,
    seq,
    activity,
    uri: activity.id,
    kind: 'Update',
    readAfter,
    about: person.uri,
    inboxes: [...followers, ...targets, ...named, ...relays],
  })
})
