/** Queues jobs that fetch outdated remote data again. Requests show the stored data and do not wait for the jobs. */
import { checkQuote, checkReply, fetchAuthorStatuses, refreshStatus } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isPollStale } from '../poll/rules.js'
import type { PollRow } from '../poll/store.js'
import { PROVED_FOR_MS, QUOTE_DEPTH } from '../quote/rules.js'
import { takeApprovals } from '../reply/approval.store.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { claimRefetch, releaseRefetch } from './store.js'

const MINUTE_S = 60
const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** Calls `queue` at most once in `seconds` for each key `what`, across all processes. If `queue` fails, the next call runs it again. */
const first = async (ctx: Context, what: string, seconds: number, queue: () => Promise<void>): Promise<void> => {
  if (!(await claimRefetch(ctx.redis, what, seconds))) return
  try {
    await queue()
  } catch (error) {
    await releaseRefetch(ctx.redis, what)
    throw error
  }
}

/** Queues fetching the latest statuses of a remote account with a new local follower, at most once a week. */
export const refetchAuthor = (ctx: Context, account: string, reader: string, event: string): Promise<void> =>
  first(ctx, `author:${account}`, WEEK_S, () =>
    ctx.queues.push(fetchAuthorStatuses, { id: `${account} ${event}`, data: { account, what: 'all', reader } }),
  )

/** Queues fetching the pins of a viewed remote account, at most once a day. */
export const refetchPins = (ctx: Context, account: string): Promise<void> =>
  first(ctx, `pins:${account}`, DAY_S, () =>
    ctx.queues.push(fetchAuthorStatuses, {
      id: `${account} ${ctx.ids.next()}`,
      data: { account, what: 'pins', reader: null },
    }),
  ).catch((error) => ctx.log.warn({ error }, 'pins were not queued for fetching'))

/**
 * Queues a check of the quote of an opened remote status, at most once a day. The job fetches an unknown quoted status and an
 * old approval.
 */
export const refetchQuote = async (
  ctx: Context,
  status: Pick<LoadedStatus, 'id' | 'local' | 'has_quote'>,
): Promise<void> => {
  if (status.local || !status.has_quote) return
  await first(ctx, `quote:${status.id}`, DAY_S, () =>
    ctx.queues.push(checkQuote, {
      id: `${status.id} ${ctx.ids.next()}`,
      data: { status: status.id, depth: QUOTE_DEPTH },
    }),
  ).catch((error) => ctx.log.warn({ error }, 'a quote was not queued for checking'))
}

/**
 * Queues checks of the approvals of an opened remote status and of replies to it, at most once a day. Approvals that were
 * proved within PROVED_FOR_MS are not checked.
 */
export const refetchApprovals = async (ctx: Context, status: Pick<LoadedStatus, 'id' | 'local'>): Promise<void> => {
  if (status.local) return
  await first(ctx, `approvals:${status.id}`, DAY_S, async () => {
    const since = new Date(ctx.clock.now() - PROVED_FOR_MS)
    const ids = await ctx.db.tx((tx) => takeApprovals(tx, status.id, since))
    await Promise.all(
      ids.map((id) => ctx.queues.push(checkReply, { id: `${id} ${ctx.ids.next()}`, data: { status: id } })),
    )
  }).catch((error) => ctx.log.warn({ error }, 'approvals of replies were not queued for checking'))
}

/** Queues fetching the counts of a viewed remote poll, at most once a minute. */
export const refetchPoll = async (ctx: Context, poll: PollRow): Promise<void> => {
  if (!isPollStale({ local: poll.local, expiresAt: poll.expires_at, fetchedAt: poll.fetched_at }, ctx.clock.now()))
    return
  await first(ctx, `poll:${poll.id}`, MINUTE_S, () =>
    ctx.queues.push(refreshStatus, { id: `${poll.id} ${ctx.ids.next()}`, data: { status: poll.status_id } }),
  ).catch((error) => ctx.log.warn({ error }, 'a poll was not queued for fetching'))
}
