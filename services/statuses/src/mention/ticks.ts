/** Has people looked for again whom remote statuses mention and whose servers did not answer: a job for each server. */
import { findMentioned } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { takeDueHosts } from './unreached.store.js'

/** Servers of one run, and when their people are due again if the job comes to nothing. */
const MOST = 100
const AGAIN_MS = 180_000

export const seekUnreached = tick('statuses.seek-unreached', 10_000, async (ctx) => {
  await ctx.db.tx(async (tx) => {
    const now = ctx.clock.date()
    const until = new Date(now.getTime() + AGAIN_MS)
    const hosts = await takeDueHosts(tx, { now, until, most: MOST })
    await ctx.queue(tx, findMentioned, ...hosts.map((host) => ({ host, at: until.toISOString() })))
  })
})
