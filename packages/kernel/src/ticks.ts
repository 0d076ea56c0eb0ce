/**
 * Runs ticks periodically. A lease ensures that one process of the cluster runs a tick. The clock of the database
 * decides when a lease expires.
 */
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'
import type { TickEntry } from './handlers.js'
import type { Leases } from './leases.js'
import type { Log } from './log.js'
import { tickRunning, ticksRun } from './metrics.js'
import { ownRequest, within } from './request.js'
import { traced } from './trace.js'

/** Start of each current run (`performance.now()`), by name. */
const running = new Map<string, number>()
Object.assign(tickRunning, {
  collect() {
    for (const [tick, began] of running) tickRunning.set({ tick }, (performance.now() - began) / 1_000)
  },
})

/** Ticks with a shorter interval, in milliseconds, are not traced. Their traces would be most of those of an idle server. */
const TRACED_MS = 5_000

/**
 * Minimum length of a lease in milliseconds. The ticks of a killed process run in another one after that. A lease is
 * renewed when a third of it is over.
 */
const LEASE_MS = 30_000

export interface TickOptions {
  service: string
  ctx: unknown
  /** Leases of ticks; null for a service without a database, where each process runs every tick. */
  leases: Leases | null
  clock: Clock
  log: Log
  faults: Faults
}

/** Starts one tick, and counts its runs by outcome. Returns a function that stops the tick. */
export const startTick = (entry: TickEntry, options: TickOptions): (() => Promise<void>) => {
  const tick = entry.name
  // The counters of both outcomes have a value from the start, because rates are computed from a previous value.
  for (const outcome of ['done', 'failed']) ticksRun.inc({ tick, outcome }, 0)
  tickRunning.set({ tick }, 0)
  const leaseMs = Math.max(entry.everyMs * 3, LEASE_MS)
  const run = async () => {
    running.set(tick, performance.now())
    try {
      if (entry.alone && options.leases && !(await options.leases.has(entry.name, leaseMs))) return entry.elsewhere?.()
      await options.faults.reach('lease.tick')
      await within(ownRequest(Math.max(entry.everyMs, 30_000)), () =>
        entry.everyMs < TRACED_MS
          ? entry.run(options.ctx)
          : traced(options.service, `tick ${entry.name}`, '', () => entry.run(options.ctx)),
      )
      ticksRun.inc({ tick, outcome: 'done' })
    } catch (error) {
      ticksRun.inc({ tick, outcome: 'failed' })
      options.log.warn({ tick: entry.name, error }, 'tick failed and will run again')
    } finally {
      running.delete(tick)
      tickRunning.set({ tick }, 0)
    }
  }
  return options.clock.every(entry.everyMs, run)
}
