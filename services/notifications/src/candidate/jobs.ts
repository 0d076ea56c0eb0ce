/** Jobs that notify one page of accounts and queue the next page. */
import {
  notifyBoostersJob,
  notifyFollowersJob,
  notifyQuotersJob,
  notifyVotersJob,
} from '@murmuration/contracts/notifications'
import { localBoosters, localQuoters, pollVoters } from '@murmuration/contracts/statuses'
import { queueOf } from '@murmuration/kernel'
import { work } from '../handlers.js'
import { sources } from './candidate.js'
import { followersToNotify } from './followers.js'
import { queueNextPage } from './next-page.js'
import { notify } from './notify.js'

/** Maximum number of boosters that one job notifies of an edit. */
const BOOSTERS_AT_ONCE = 500

/** Notifies one page of the accounts that boosted an edited status, and queues the next page. */
export const notifyBoosters = work(notifyBoostersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(notifyBoostersJob), eventId: meta.id }
  const { accounts, next } = await ctx.call(localBoosters, { status, after, limit: BOOSTERS_AT_ONCE })
  if (next !== null) await queueNextPage(ctx, origin, notifyBoostersJob, { status, author, after: next, at })
  await notify(ctx, origin, author, [
    { type: 'update', recipients: accounts, source: sources.status(status), status, replaces: true, at },
  ])
})

/** Notifies one page of followers about a new status, and queues the next page. */
export const notifyFollowers = work(notifyFollowersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(notifyFollowersJob), eventId: meta.id }
  const { ids, next } = await followersToNotify(ctx, author, after)
  if (next !== null) await queueNextPage(ctx, origin, notifyFollowersJob, { status, author, after: next, at })
  await notify(ctx, origin, author, [{ type: 'status', recipients: ids, source: sources.status(status), status, at }])
})

/**
 * Maximum number of quotes that one job handles. It is lower than the limits of other jobs, because each quote is a
 * separate notification candidate.
 */
const QUOTERS_AT_ONCE = 50

/** Notifies the authors of one page of quotes that the quoted status was edited, and queues the next page. */
export const notifyQuoters = work(notifyQuotersJob, async (ctx, { status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(notifyQuotersJob), eventId: meta.id }
  const { quotes, next } = await ctx.call(localQuoters, { status, after, limit: QUOTERS_AT_ONCE })
  if (next !== null) await queueNextPage(ctx, origin, notifyQuotersJob, { status, author, after: next, at })
  await notify(
    ctx,
    origin,
    author,
    quotes.map((one) => ({
      type: 'quoted_update' as const,
      recipients: [one.account],
      source: sources.quote(one.status),
      status: one.status,
      replaces: true,
      at,
    })),
  )
})

/** Maximum number of voters that one job notifies of the end of a poll. */
const VOTERS_AT_ONCE = 500

/** Notifies one page of voters that a poll ended, and queues the next page. */
export const notifyVoters = work(notifyVotersJob, async (ctx, { poll, status, author, after, at }, meta) => {
  const origin = { consumer: queueOf(notifyVotersJob), eventId: meta.id }
  const { accounts, next, running } = await ctx.call(pollVoters, { poll, after, limit: VOTERS_AT_ONCE })
  // The voters are not notified if an edit gave the poll a later end meanwhile.
  if (running) return
  if (next !== null) await queueNextPage(ctx, origin, notifyVotersJob, { poll, status, author, after: next, at })
  await notify(ctx, origin, author, [
    { type: 'poll', recipients: accounts, source: sources.status(status), status, replaces: true, at },
  ])
})
