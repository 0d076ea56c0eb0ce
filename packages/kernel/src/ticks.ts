/** Periodic work. A lease ensures that one process of the cluster runs it. The clock of the database decides when a lease ends. */
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

/** Interval in milliseconds below which ticks are not traced, because they would fill a collector on an idle server. */
const TRACED_MS = 5_000

/** Minimum length of a lease in milliseconds, after which another process runs the ticks of a killed one. Renewed after a third of it. */
const LEASE_MS = 30_000

export interface TickOptions {
  service: string
  ctx: unknown
  /** Null for a service without a database, where each process runs every tick. */
  leases: Leases | null
  clock: Clock
  log: Log
  faults: Faults
}

/** Starts one tick, and counts its runs by outcome. Returns a function that stops the tick. */
export const startTick = (entry: TickEntry, options: TickOptions): (() => Promise<void>) => {
  const tick = entry.name
  // The series of both outcomes exist from the start, because a rate needs a value before the first failure.
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
