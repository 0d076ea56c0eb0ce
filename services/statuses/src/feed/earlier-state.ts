/** Drops all feeds when Redis returned to an earlier state, so that their readers rebuild them. */
import { dropAllFeeds } from '@murmuration/contracts/statuses'
import type { BaseContext } from '@murmuration/kernel'
import { ifEarlier } from './earlier-state.store.js'

type Needs = Pick<BaseContext, 'clock' | 'db' | 'log' | 'onClose' | 'queue' | 'redis'>

const CHECK_EVERY_MS = 10_000

/** Queues the job that drops all feeds if Redis returned to an earlier state, unless another process did so. */
export const checkFeeds = (ctx: Pick<Needs, 'db' | 'log' | 'queue' | 'redis'>): Promise<void> =>
  ifEarlier(ctx.redis, async () => {
    await ctx.db.tx((tx) => ctx.queue(tx, dropAllFeeds, {}))
    ctx.log.warn({}, 'Redis returned to an earlier state, so all feeds are dropped and rebuilt when they are read')
  })

/** Repeats the check while the service runs. */
export const watchFeeds = (ctx: Needs): void => {
  const stop = ctx.clock.every(CHECK_EVERY_MS, () =>
    checkFeeds(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'feeds of an earlier state are not dropped yet')),
  )
  ctx.onClose('feeds', stop)
}
