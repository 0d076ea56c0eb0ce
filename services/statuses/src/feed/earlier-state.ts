/** Drops all feeds when Redis returned to an earlier state, so that their readers rebuild them. */
import { dropAllFeeds } from '@murmuration/contracts/statuses'
import { type BaseContext, processOnce } from '@murmuration/kernel'
import { ifEarlier } from './earlier-state.store.js'

type Needs = Pick<BaseContext, 'clock' | 'db' | 'log' | 'onClose' | 'queue' | 'redis'>

const CHECK_EVERY_MS = 10_000
/**
 * Milliseconds of an interval in which only one of the processes that detect the same loss queues the job. Short, because a
 * second loss in the same interval is not noticed. To drop the feeds twice costs little.
 */
const ONCE_MS = 2 * CHECK_EVERY_MS
/** Name under which the intervals are recorded. */
const DETECTED = 'statuses_drop-feeds:detected'

/** Queues the job that drops all feeds if Redis returned to an earlier state. */
export const checkFeeds = (ctx: Pick<Needs, 'clock' | 'db' | 'log' | 'queue' | 'redis'>): Promise<void> =>
  ifEarlier(ctx.redis, async () => {
    const interval = { consumer: DETECTED, eventId: String(Math.floor(ctx.clock.now() / ONCE_MS)) }
    // The record and the job commit together, so that a process that fails or ends prevents no later try.
    const isQueued = await ctx.db.tx((tx) => processOnce(tx, interval, () => ctx.queue(tx, dropAllFeeds, {})))
    if (isQueued)
      ctx.log.warn({}, 'Redis returned to an earlier state, so all feeds are dropped and rebuilt when they are read')
  })

/** Repeats the check while the service runs. */
export const watchFeeds = (ctx: Needs): void => {
  const stop = ctx.clock.every(CHECK_EVERY_MS, () =>
    checkFeeds(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'feeds of an earlier state are not dropped yet')),
  )
  ctx.onClose('feeds', stop)
}
