/** The tick that queues a job for each server with due lookups of mentioned accounts. */
import { findMentioned } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { isLookupDue, takeDueHosts } from './unreached.store.js'

/** `MAX_HOSTS`: maximum number of servers per run. `AGAIN_MS`: milliseconds until their lookups are due again if the job is lost. */
const MAX_HOSTS = 100
const AGAIN_MS = 180_000

export const retryUnreached = tick('statuses.seek-unreached', 10_000, async (ctx) => {
  if (!(await isLookupDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const now = ctx.clock.date()
    const until = new Date(now.getTime() + AGAIN_MS)
    const hosts = await takeDueHosts(tx, { now, until, limit: MAX_HOSTS })
    await ctx.queue(tx, findMentioned, ...hosts.map((host) => ({ host, at: until.toISOString() })))
  })
})
