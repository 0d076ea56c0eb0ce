/** Steps of tests of deliveries: moves the clock, and waits until every delivery that is due was tried. */
import { sql } from '@murmuration/db'
import { expect } from 'vitest'
import type { Context } from '../src/context.js'
import { dueDeliveries } from '../src/delivery/delivery.store.js'
import { wakeHostQueues } from '../src/delivery/ticks.js'
import type { SiblingServices } from './sibling-services.js'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Seconds after which the next attempts are due: the waits of the schedule, which may be a fifth longer. */
export const WAITS = [20, 75, 370, 1_100]

export interface Steps {
  /** Moves the clock of all services forward, never back. */
  later(ms: number): void
  /** Moves the clock to this time, unless it is later already. */
  until(time: number): void
  /** Resolves when every delivery that is due by the moved clock was tried and its result is stored. */
  waitForIdle(): Promise<void>
  /** Resolves when, besides, no process leases a host queue. Then changed rows of host queues are read again. */
  waitForRelease(): Promise<void>
  /** Milliseconds for which the host of this address is still paused. */
  pauseOf(origin: string): Promise<number>
  /** Moves the clock to the time at which the host of this address is due, and waits until it is idle. */
  untilDue(origin: string): Promise<void>
}

export const createSteps = (harness: SiblingServices): Steps => {
  const db = harness.db('federation')
  const { clock } = harness.ours
  /** Milliseconds by which the clock was moved. */
  let offset = 0
  const later = (ms: number): void => {
    offset += ms
    harness.moveTo(offset)
  }
  const until = (time: number): void => later(Math.max(0, time - clock.now()))
  /** Hosts of due host queues, and of leased ones with a delivery that may be sent now. */
  const atWork = async (): Promise<unknown[]> => {
    const now = clock.date()
    const queues = await db.rows<{
      id: string
      host: string
      due: boolean
    }>(sql`select id, host, due_at is not null as due from lanes
      where due_at <= ${now} or (holder is not null and (paused_until is null or paused_until <= ${now}))`)
    const leased = queues.filter((it) => !it.due).map((it) => it.id)
    const sendable = new Set((await dueDeliveries(db, leased, now, 1)).map((it) => it.queue))
    return queues.filter((it) => it.due || sendable.has(it.id))
  }
  const leased = () => db.rows(sql`select host from lanes where holder is not null`)
  /** The tick runs every two seconds. In tests, it also runs now. */
  const wake = () => wakeHostQueues.run(harness.ours as unknown as Context)
  const waitForNone = async (rows: () => Promise<unknown[]>): Promise<void> => {
    for (let busy = true; busy; ) {
      await harness.waitForIdle()
      await expect
        .poll(
          async () => {
            await wake()
            return rows()
          },
          { interval: 20 },
        )
        .toEqual([])
      // The tick takes due host queues off the list before it queues the job.
      await harness.waitForIdle()
      busy = (await rows()).length > 0
    }
  }
  const rowOf = (origin: string) =>
    db.row<{ paused_until: Date | null; due_at: Date | null }>(
      sql`select paused_until, due_at from lanes where host = ${new URL(origin).host}`,
    )
  const waitForIdle = () => waitForNone(atWork)
  const waitForRelease = () => waitForNone(async () => [...(await atWork()), ...(await leased())])
  return {
    later,
    until,
    waitForIdle,
    waitForRelease,
    pauseOf: async (origin) => Math.max(0, ((await rowOf(origin))?.paused_until?.getTime() ?? 0) - clock.now()),
    async untilDue(origin) {
      await waitForRelease()
      until(((await rowOf(origin))?.due_at?.getTime() ?? 0) + 500)
      await waitForIdle()
    },
  }
}
