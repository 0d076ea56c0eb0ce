/** Jobs that publish results of polls and changed profiles. */
import { writeUpdateOfActor, writeUpdateOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { localActors } from '@murmuration/contracts/accounts'
import { sendPollUpdateJob, sendProfileUpdateJob } from '@murmuration/contracts/federation'
import { recentlyMentioned } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { lateTargets } from '../core/activity/store.js'
import { actorDocument } from '../core/actor/actor.js'
import { sourcesOf } from '../core/address/local.js'
import { noteSource } from '../core/note/view.js'
import { work } from '../handlers.js'
import { followerInboxes, inboxOf, recordsOf } from './audience.js'
import { recordPollChange } from './poll-change.store.js'
import { publish } from './publish.js'
import { relayInboxes } from './relay.js'
import { recipientsOfUpdate } from './update-recipients.js'

const DAY_MS = 86_400_000

/** Publishes the Update with the results of a local poll to servers that received or fetched it, and to servers of voters. */
export const sendPollUpdate = work(sendPollUpdateJob, async (ctx, { status, seq, at, inboxes }) => {
  const readAfter = ctx.ids.next()
  const { sources, accounts } = await sourcesOf(ctx, [status])
  const [source] = sources
  if (!source || source.deleted || source.poll === null || accounts.get(source.author)?.suspended !== false) return
  if (source.poll.hidden) {
    // Results are hidden until the poll ends, so the change is recorded again, with the inboxes of the voters.
    const dueAt = new Date(ctx.clock.now() + DAY_MS)
    await recordPollChange(ctx.db, { statusId: status, seq, changedAt: new Date(at), dueAt, inboxes })
    return
  }
  const note = noteSource(source, accounts, ctx.site)
  if (note === null) return
  const activity = writeUpdateOfNote(note, at)
  const recipients = await recipientsOfUpdate(ctx, source, accounts)
  await publish(ctx, {
    ...recipients,
    readAfter,
    actorId: source.author,
    seq,
    activity,
    uri: activity.id,
    kind: activity.type,
    about: statusUriOf(source.uri),
    // Servers of voters get the results only if they may still see the poll.
    inboxes: recipients.receivers === 'reached' ? [...inboxes, ...recipients.inboxes] : recipients.inboxes,
  })
})

const LATELY_MS = 2 * 86_400_000
const MAX_TARGETS = 2_000
const MAX_NAMED = 1_000

const inboxesOfNamed = async (ctx: Pick<Context, 'call'>, author: string, since: number): Promise<string[]> => {
  const { accounts } = await ctx.call(recentlyMentioned, { author, since, limit: MAX_NAMED })
  return [...(await recordsOf(ctx, accounts)).values()].map(inboxOf).filter((inbox) => inbox !== null)
}

/** Publishes the Update of a profile to relays and servers of followers, and of accounts addressed in the last two days. */
export const sendProfileUpdate = work(sendProfileUpdateJob, async (ctx, { account: id, seq, at }) => {
  const readAfter = ctx.ids.next()
  const { actors } = await ctx.call(localActors, { ids: [id] })
  const [account] = actors
  if (!account || account.domain !== null) return
  const activity = writeUpdateOfActor(await actorDocument(ctx, account), at)
  const earliestAt = ctx.clock.now() - LATELY_MS
  const [followers, targets, named, relays] = await Promise.all([
    followerInboxes(ctx, account.id),
    lateTargets(ctx.db, account.id, new Date(earliestAt), MAX_TARGETS),
    inboxesOfNamed(ctx, account.id, earliestAt),
    relayInboxes(ctx),
  ])
  await publish(ctx, {
    actorId: account.id,
    seq,
    activity,
    uri: activity.id,
    kind: 'Update',
    readAfter,
    about: account.uri,
    inboxes: [...followers, ...targets, ...named, ...relays],
  })
})
