/** Leases of lanes, so that one process works on each host: claims, extends and releases them. */
import { randomUUID } from 'node:crypto'
import type { Database } from '@murmuration/db'
import type { Clock, Log } from '@murmuration/kernel'
import { ownRequest, within } from '@murmuration/kernel'
import { Lane } from './lane.js'
import { claimLanes, heldLanes, postponeLanes, releaseLanes, renewLanes, type Wanted } from './lane.store.js'

const LEASE_MS = 15_000

/** Runs work with a deadline of its own, because the work may last longer than the job that woke the lane. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => within(ownRequest(20_000), work)

const idsOf = (lanes: readonly Lane[]): string[] => lanes.map((lane) => lane.id)

export class Leases {
  readonly #ctx: { db: Database; clock: Clock; log: Log }
  readonly #holder = randomUUID()
  readonly #lanes = new Map<string, Lane>()
  #stopExtending: (() => void) | undefined

  constructor(ctx: { db: Database; clock: Clock; log: Log }) {
    this.#ctx = ctx
  }

  get size(): number {
    return this.#lanes.size
  }

  /** Lanes (hosts) that this process leases now. */
  lanes(): MapIterator<Lane> {
    return this.#lanes.values()
  }

  /**
   * Leases those wanted lanes that no other process leases. Returns the wanted lanes that this process leases, all
   * marked as stale.
   */
  async claim(wanted: Wanted): Promise<Lane[]> {
    const { db, clock } = this.#ctx
    const rows = await claimLanes(db, wanted, { holder: this.#holder, leaseMs: LEASE_MS, now: clock.date() })
    const claimed = rows.flatMap((row) => {
      const known = this.#lanes.get(row.id)
      if (!row.mine) {
        if (known) this.#drop(known)
        return []
      }
      const lane = known ?? new Lane(row, clock.now())
      lane.pokes = row.pokes
      lane.stale = true
      this.#lanes.set(lane.id, lane)
      return [lane]
    })
    if (claimed.length) this.#stopExtending ??= clock.every(LEASE_MS / 3, () => this.#extendAll())
    return claimed
  }

  async #extendAll(): Promise<void> {
    try {
      await inBackground(() => this.#extend([...this.#lanes.values()]))
    } catch (error) {
      this.#ctx.log.warn({ error }, 'leases of lanes could not be extended')
    }
  }

  async #extend(lanes: readonly Lane[]): Promise<Lane[]> {
    if (lanes.length === 0) return []
    const rows = await renewLanes(this.#ctx.db, idsOf(lanes), { holder: this.#holder, leaseMs: LEASE_MS })
    return this.#apply(lanes, rows)
  }

  /** Marks lanes with new deliveries as stale. Returns the lanes that this process still leases. */
  async refresh(lanes: readonly Lane[]): Promise<Lane[]> {
    if (lanes.length === 0) return []
    return this.#apply(lanes, await heldLanes(this.#ctx.db, idsOf(lanes), this.#holder))
  }

  /** Releases lanes (hosts). Returns lanes that could not be released, because they have new deliveries. */
  async release(lanes: readonly Lane[]): Promise<Lane[]> {
    if (lanes.length === 0) return []
    const released = new Set(await releaseLanes(this.#ctx.db, lanes, this.#holder, this.#ctx.clock.date()))
    const woken: Lane[] = []
    const unsure: Lane[] = []
    for (const lane of lanes) {
      // The lane is stale if `claim` leased it to this process again during the release.
      if (lane.stale) woken.push(lane)
      else if (released.has(lane.id)) this.#drop(lane)
      else unsure.push(lane)
    }
    return [...woken, ...(await this.#extend(unsure))]
  }

  /** Releases lanes and makes them due at `until`, even if they have due deliveries. */
  async postpone(lanes: readonly Lane[], until: Date): Promise<void> {
    if (lanes.length === 0) return
    await postponeLanes(this.#ctx.db, idsOf(lanes), this.#holder, until)
    for (const lane of lanes) this.#drop(lane)
  }

  /** Stops the timer that extends the leases of lanes. */
  stop(): void {
    this.#stopExtending?.()
    this.#stopExtending = undefined
  }

  /**
   * Updates lanes from their rows in the database. Drops lanes without a row, because their lease is lost. Returns the
   * lanes that keep their lease.
   */
  #apply(lanes: readonly Lane[], rows: readonly { id: string; pokes: number }[]): Lane[] {
    const pokes = new Map(rows.map((row) => [row.id, row.pokes]))
    return lanes.filter((lane) => {
      const known = pokes.get(lane.id)
      if (known === undefined) this.#drop(lane)
      else if (known > lane.pokes) {
        lane.pokes = known
        lane.stale = true
      }
      return known !== undefined
    })
  }

  #drop(lane: Lane): void {
    if (this.#lanes.get(lane.id) === lane) this.#lanes.delete(lane.id)
    lane.enter('released')
    if (this.#lanes.size === 0) this.stop()
  }
}
