/** Sends hosts to work whose time has come, and those that a dead process had; the net below the jobs that publishing queues. */
import { deliverJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { tick } from '../doors.js'
import { takeDueLanes } from '../store/host.js'

const PAGE = 200
const MOST = 5_000
/** When they come again, should the job do nothing. */
const AGAIN_MS = 30_000

const wake = async (ctx: Context): Promise<void> => {
  const lanes = await takeDueLanes(ctx.db, { now: ctx.clock.date(), againMs: AGAIN_MS, most: MOST })
  const pages = Array.from({ length: Math.ceil(lanes.length / PAGE) }, (_, i) => lanes.slice(i * PAGE, (i + 1) * PAGE))
  await ctx.queues.push(deliverJob, ...pages.map((page) => ({ id: ctx.ids.next(), data: { lanes: page } })))
}

/** Each process asks: rows are locked while they are taken, so that none is taken twice. */
export const wakeLanes = tick('federation.wake-lanes', 1_000, wake, { alone: false })
