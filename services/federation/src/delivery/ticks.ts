/** Ticks of delivery: wake due host queues, give up old deliveries, measure, and clean up the ledger. */

import { deliverJob } from '@murmuration/contracts/federation'
import { chunk } from '@murmuration/flow'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { deleteReadersOfGone, foldReaders } from '../core/host/reader.store.js'
import { tick } from '../handlers.js'
import { giveUpOld, giveUpUnavailable } from './delivery.store.js'
import { heldCounts } from './delivery-report.store.js'
import { deleteActivities, foldEnded } from './delivery-upkeep.store.js'
import { KEPT_MS } from './explained-deletion.rules.js'
import { findMissingHostQueues, isHostQueueDue, takeDueHostQueues } from './host-queue.store.js'
import { countAbandoned, heldDeliveries, unavailableHosts } from './metrics.js'
import { HELD_MS } from './retry.rules.js'

/**
 * Steps of one run. A step has few activities, because each may have thousands of deliveries. Most have few, so a run
 * has many steps: a large server sends millions of activities a day.
 */
const CLEAN_UP = { size: 200, steps: 1_000, forMs: 60_000 }

/** Replaces the deliveries of old activities by a list of reached inboxes, and deletes old activities and readers. */
export const deleteDeliveries = tick('federation.forget-deliveries', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - KEPT_MS)
  await inSteps(CLEAN_UP, (limit) => deleteActivities(ctx.db, before, limit))
  await inSteps(CLEAN_UP, (limit) => ctx.db.tx((tx) => foldEnded(tx, before, limit)))
  await inSteps(CLEAN_UP, (limit) => foldReaders(ctx.db, before, limit))
  // Readers of statuses of accounts deleted in the last 60 days (2 × KEPT_MS).
  const endOfRetention = new Date(before.getTime() - KEPT_MS)
  await inSteps({ size: 5_000, steps: 20 }, (limit) => deleteReadersOfGone(ctx.db, endOfRetention, limit))
})

const STEPS = { size: 5_000, steps: 20 }

/**
 * Gives up deliveries after seven days and to unavailable hosts, and makes host queues due that have neither a lease
 * nor a due time.
 */
export const giveUpDeliveries = tick('federation.give-up-deliveries', 60_000, async (ctx) => {
  const held = ctx.clock.now() - HELD_MS
  countAbandoned('expired', await inSteps(STEPS, (limit) => giveUpOld(ctx.db, held, ctx.clock.date(), limit)))
  countAbandoned('unavailable', await inSteps(STEPS, (limit) => giveUpUnavailable(ctx.db, ctx.clock.date(), limit)))
  const found = await findMissingHostQueues(ctx.db, ctx.clock.date())
  if (found > 0) ctx.log.warn({ hosts: found }, 'hosts were forgotten with deliveries waiting')
})

const measure = async (ctx: Context): Promise<void> => {
  const { held, unavailable } = await heldCounts(ctx.db)
  heldDeliveries.set(held)
  unavailableHosts.set(unavailable)
}

/** Sets the metrics of pending deliveries and unavailable hosts. */
export const measureDeliveries = tick('federation.measure-deliveries', 15_000, measure, {
  elsewhere: () => {
    heldDeliveries.remove()
    unavailableHosts.remove()
  },
})

/** Maximum number of host queues per delivery job. */
const PAGE = 200
/** Maximum number of host queues for which one run of the tick queues jobs. */
const MAX_HOST_QUEUES = 5_000
/** Time after which host queues are due again if their delivery job fails. */
const AGAIN_MS = 30_000

/**
 * Queues jobs for due host queues and for host queues of dead processes. A fallback for the jobs that `publish` queues
 * (`outbox/publish.ts`).
 */
const wake = async (ctx: Context): Promise<void> => {
  if (!(await isHostQueueDue(ctx.db, ctx.clock.date()))) return
  const hostQueues = await takeDueHostQueues(ctx.db, {
    now: ctx.clock.date(),
    againMs: AGAIN_MS,
    limit: MAX_HOST_QUEUES,
  })
  const jobs = chunk(hostQueues, PAGE).map((page) => ({ id: ctx.ids.next(), data: { lanes: page } }))
  await ctx.queues.push(deliverJob, ...jobs)
}

/** Wakes due host queues. The tick runs in all processes at once, because rows are locked while they are taken. */
export const wakeHostQueues = tick('federation.wake-lanes', 2_000, wake, { alone: false })
