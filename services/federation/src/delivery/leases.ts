/** Leases of host queues, so that one process works on each host: claims, extends and releases them. */
import { randomUUID } from 'node:crypto'
import type { Database } from '@murmuration/db'
import type { Clock, Log } from '@murmuration/kernel'
import { ownRequest, within } from '@murmuration/kernel'
import { HostQueue } from './host-queue.js'
import { LEASE_MS } from './host-queue.rules.js'
import {
  claimHostQueues,
  heldHostQueues,
  postponeHostQueues,
  releaseHostQueues,
  renewHostQueues,
  type Wanted,
} from './host-queue.store.js'

/** Runs work with a deadline of its own, because the work may last longer than the job that woke the host queue. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => within(ownRequest(20_000), work)

const idsOf = (queues: readonly HostQueue[]): string[] => queues.map((queue) => queue.id)

export class Leases {
  readonly #ctx: { db: Database; clock: Clock; log: Log }
  readonly #holder = randomUUID()
  readonly #queues = new Map<string, HostQueue>()
  #stopExtending: (() => void) | undefined

  constructor(ctx: { db: Database; clock: Clock; log: Log }) {
    this.#ctx = ctx
  }

  get size(): number {
    return this.#queues.size
  }

  /** Host queues that this process leases now. */
  queues(): MapIterator<HostQueue> {
    return this.#queues.values()
  }

  /**
   * Leases those wanted host queues that no other process leases. Returns the wanted host queues that this process
   * leases, all marked as stale.
   */
  async claim(wanted: Wanted): Promise<HostQueue[]> {
    const { db, clock } = this.#ctx
    const rows = await claimHostQueues(db, wanted, { holder: this.#holder, leaseMs: LEASE_MS, now: clock.date() })
    const claimed = rows.flatMap((row) => {
      const known = this.#queues.get(row.id)
      if (!row.mine) {
        if (known) this.#drop(known)
        return []
      }
      const queue = known ?? new HostQueue(row, clock.now())
      queue.pokes = row.pokes
      queue.stale = true
      this.#queues.set(queue.id, queue)
      return [queue]
    })
    if (claimed.length) this.#stopExtending ??= clock.every(LEASE_MS / 3, () => this.#extendAll())
    return claimed
  }

  async #extendAll(): Promise<void> {
    try {
      await inBackground(() => this.#extend([...this.#queues.values()]))
    } catch (error) {
      this.#ctx.log.warn({ error }, 'leases of host queues could not be extended')
    }
  }

  async #extend(queues: readonly HostQueue[]): Promise<HostQueue[]> {
    if (queues.length === 0) return []
    const rows = await renewHostQueues(this.#ctx.db, idsOf(queues), { holder: this.#holder, leaseMs: LEASE_MS })
    return this.#apply(queues, rows)
  }

  /** Marks host queues with new deliveries as stale. Returns the host queues that this process still leases. */
  async refresh(queues: readonly HostQueue[]): Promise<HostQueue[]> {
    if (queues.length === 0) return []
    return this.#apply(queues, await heldHostQueues(this.#ctx.db, idsOf(queues), this.#holder))
  }

  /** Releases host queues. Returns those that could not be released, because they have new deliveries. */
  async release(queues: readonly HostQueue[]): Promise<HostQueue[]> {
    if (queues.length === 0) return []
    const released = new Set(await releaseHostQueues(this.#ctx.db, queues, this.#holder, this.#ctx.clock.date()))
    const woken: HostQueue[] = []
    const unsure: HostQueue[] = []
    for (const queue of queues) {
      // The host queue is stale if `claim` leased it to this process again during the release.
      if (queue.stale) woken.push(queue)
      else if (released.has(queue.id)) this.#drop(queue)
      else unsure.push(queue)
    }
    return [...woken, ...(await this.#extend(unsure))]
  }

  /** Releases host queues and makes them due at `until`, even if they have due deliveries. */
  async postpone(queues: readonly HostQueue[], until: Date): Promise<void> {
    if (queues.length === 0) return
    await postponeHostQueues(this.#ctx.db, idsOf(queues), this.#holder, until)
    for (const queue of queues) this.#drop(queue)
  }

  /** Stops the timer that extends the leases of host queues. */
  stop(): void {
    this.#stopExtending?.()
    this.#stopExtending = undefined
  }

  /**
   * Updates host queues from their rows in the database. Drops host queues without a row, because their lease is lost.
   * Returns the host queues that keep their lease.
   */
  #apply(queues: readonly HostQueue[], rows: readonly { id: string; pokes: number }[]): HostQueue[] {
    const pokes = new Map(rows.map((row) => [row.id, row.pokes]))
    return queues.filter((queue) => {
      const known = pokes.get(queue.id)
      if (known === undefined) this.#drop(queue)
      else if (known > queue.pokes) {
        queue.pokes = known
        queue.stale = true
      }
      return known !== undefined
    })
  }

  #drop(queue: HostQueue): void {
    if (this.#queues.get(queue.id) === queue) this.#queues.delete(queue.id)
    queue.enter('released')
    if (this.#queues.size === 0) this.stop()
  }
}
