/** Work that time starts: leased, so that one process of the cluster does it, with the database's clock as judge. */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '@murmuration/db'
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'
import type { TickEntry } from './handlers.js'
import type { Log } from './log.js'
import { tickRunning, ticksRun } from './metrics.js'
import { ownRequest, within } from './request.js'
import { traced } from './trace.js'

const holder = randomUUID()

/**
 * Takes or renews a lease for `ms`; null when another process holds it. The number grows with each change of holder, so
 * that a holder that slept can be told from the one after it.
 */
export const takeLease = async (db: Database, name: string, ms: number): Promise<string | null> => {
  const row = await db.row<{ fence: string }>(sql`insert into leases (name, holder, until)
    values (${name}, ${holder}, clock_timestamp() + make_interval(secs => ${ms / 1000}))
    on conflict (name) do update set
      fence = leases.fence + case when leases.holder = excluded.holder then 0 else 1 end,
      holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < clock_timestamp()
    returning fence`)
  return row?.fence ?? null
}

/** When each run that goes on began (`performance.now()`), by name. */
const running = new Map<string, number>()
Object.assign(tickRunning, {
  collect() {
    for (const [tick, began] of running) tickRunning.set({ tick }, (performance.now() - began) / 1_000)
  },
})

/** Ticks that run more often are not traced: they would fill a collector on an idle server. */
const TRACED_MS = 5_000

export interface TickOptions {
  service: string
  ctx: unknown
  db: Database | null
  clock: Clock
  log: Log
  faults: Faults
}

/** Starts one tick, and counts its runs by outcome. Returns how to stop it. */
export const startTick = (entry: TickEntry, options: TickOptions): (() => Promise<void>) => {
  const tick = entry.name
  // Both series exist from the start, because a rate needs a value before the first failure.
  for (const outcome of ['done', 'failed']) ticksRun.inc({ tick, outcome }, 0)
  tickRunning.set({ tick }, 0)
  const leaseMs = Math.max(entry.everyMs * 3, 15_000)
  let renewedAt = Number.NEGATIVE_INFINITY
  /** Renews the lease when a third of it has passed, so that frequent ticks do not write to the database each time. */
  const hasLease = async (db: Database): Promise<boolean> => {
    const now = performance.now()
    if (now - renewedAt < leaseMs / 3) return true
    const isOurs = (await takeLease(db, entry.name, leaseMs)) !== null
    renewedAt = isOurs ? now : Number.NEGATIVE_INFINITY
    return isOurs
  }
  const run = async () => {
    running.set(tick, performance.now())
    try {
      if (entry.alone && options.db && !(await hasLease(options.db))) return entry.elsewhere?.()
      await options.faults.reach('lease.tick')
      await within(ownRequest(Math.max(entry.everyMs, 30_000)), () =>
        entry.everyMs < TRACED_MS
          ? entry.run(options.ctx)
          : traced(options.service, `tick ${entry.name}`, '', () => entry.run(options.ctx)),
      )
      ticksRun.inc({ tick, outcome: 'done' })
    } catch (error) {
      ticksRun.inc({ tick, outcome: 'failed' })
      options.log.warn({ tick: entry.name, error }, 'tick failed; it comes again')
    } finally {
      running.delete(tick)
      tickRunning.set({ tick }, 0)
    }
  }
  return options.clock.every(entry.everyMs, run)
}
