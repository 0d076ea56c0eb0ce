/** Refetches of remote data: stored data is shown at once, and outdated data is fetched in the background. */
import { bringAuthor, checkQuote, checkReply, refreshStatus } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isPollStale } from '../poll/rules.js'
import type { PollRow } from '../poll/store.js'
import { PROVED_FOR_MS, QUOTE_DEPTH } from '../quote/rules.js'
import { takeApprovals } from '../reply/approval.store.js'
import type { Fact } from '../viewer/fact.store.js'
import { claimRefetch, releaseRefetch } from './store.js'

const MINUTE_S = 60
const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** Calls `queue` for the first request within `seconds`. If it fails, the next request may try again. */
const first = async (ctx: Context, what: string, seconds: number, queue: () => Promise<void>): Promise<void> => {
  if (!(await claimRefetch(ctx.redis, what, seconds))) return
  try {
    await queue()
  } catch (error) {
    await releaseRefetch(ctx.redis, what)
    throw error
  }
}

/** Fetches the latest statuses of a remote account with a new local follower, once a week at most. */
export const refetchAuthor = (ctx: Context, account: string, reader: string, event: string): Promise<void> =>
  first(ctx, `author:${account}`, WEEK_S, () =>
    ctx.queues.push(bringAuthor, { id: `${account} ${event}`, data: { account, what: 'all', reader } }),
  )

/** Fetches the pins of a viewed remote account, once a day at most. */
export const refetchPins = (ctx: Context, account: string): Promise<void> =>
  first(ctx, `pins:${account}`, DAY_S, () =>
    ctx.queues.push(bringAuthor, {
      id: `${account} ${ctx.ids.next()}`,
      data: { account, what: 'pins', reader: null },
    }),
  ).catch((error) => ctx.log.warn({ error }, 'pins were not queued for fetching'))

/**
 * Checks the quote of an opened remote status, once a day at most: fetches unknown quoted statuses and old approvals.
 */
export const refetchQuote = async (ctx: Context, status: Pick<Fact, 'id' | 'local' | 'has_quote'>): Promise<void> => {
  if (status.local || !status.has_quote) return
  await first(ctx, `quote:${status.id}`, DAY_S, () =>
    ctx.queues.push(checkQuote, {
      id: `${status.id} ${ctx.ids.next()}`,
      data: { status: status.id, depth: QUOTE_DEPTH },
    }),
  ).catch((error) => ctx.log.warn({ error }, 'a quote was not queued for checking'))
}

/**
 * Checks approvals of an opened remote status and of the replies to it that were proved days ago, once a day at most.
 */
export const refetchApprovals = async (ctx: Context, status: Pick<Fact, 'id' | 'local'>): Promise<void> => {
  if (status.local) return
  await first(ctx, `approvals:${status.id}`, DAY_S, async () => {
    const since = new Date(ctx.clock.now() - PROVED_FOR_MS)
    const ids = await ctx.db.tx((tx) => takeApprovals(tx, status.id, since))
    await Promise.all(
      ids.map((id) => ctx.queues.push(checkReply, { id: `${id} ${ctx.ids.next()}`, data: { status: id } })),
    )
  }).catch((error) => ctx.log.warn({ error }, 'approvals of replies were not queued for checking'))
}

/** Fetches the counts of a viewed remote poll, once a minute at most. */
export const refetchPoll = async (ctx: Context, poll: PollRow): Promise<void> => {
  if (!isPollStale({ local: poll.local, expiresAt: poll.expires_at, fetchedAt: poll.fetched_at }, ctx.clock.now()))
    return
  await first(ctx, `poll:${poll.id}`, MINUTE_S, () =>
    ctx.queues.push(refreshStatus, { id: `${poll.id} ${ctx.ids.next()}`, data: { status: poll.status_id } }),
  ).catch((error) => ctx.log.warn({ error }, 'a poll was not queued for fetching'))
}
