/**
 * The host queue of one host in this process: its state, its deliveries in memory and in flight, and the health of the
 * host.
 */

import { type SignatureScheme, signatureSchemes } from '../core/signature/scheme.rules.js'
import type { Signer } from '../core/signature/signers.js'
import type { Due } from './delivery.store.js'
import { cap, type FreeSlots, type Health, isUnordered, MAX_UNORDERED, mayBeUp, pick } from './host-queue.rules.js'
import { type HostQueueRow, healthOf } from './host-queue.store.js'
import { type HostQueueState, mayEnter } from './host-queue-state.rules.js'
import type { Payload } from './payload.js'
import type { UnansweredDelivery } from './probe.rules.js'

/** Deliveries that wait for a failed delivery of `activity`: all of its actor, or those about its object. */
export type Blocked = { activity: string } & ({ actor: string } | { about: string })

/** A delivery with its payload, signing key and Collection-Synchronization header, ready to be sent. */
export interface Item extends Due {
  /** The unanswered delivery that this probe is sent instead of; undefined if this is no probe. */
  readonly insteadOf?: UnansweredDelivery | undefined
  readonly payload: Payload
  readonly signer: Signer
  /** Value of the Collection-Synchronization header for the server of the inbox; null for most activities. */
  readonly synchronisation: string | null
}

type Counts = Map<string, { readonly activity: string; count: number }>

/** Lifetime of the stored signature scheme of a host. After this time, the default scheme is tried first again. */
const SCHEME_MS = 7 * 86_400_000

export const keyOf = ({ activity, inbox }: Pick<Due, 'activity' | 'inbox'>): string => `${activity} ${inbox}`

const increment = (counts: Counts, key: string, activity: string): void => {
  const known = counts.get(key)
  if (known) known.count++
  else counts.set(key, { activity, count: 1 })
}
const decrement = (counts: Counts, key: string): void => {
  const known = counts.get(key)
  if (known && --known.count === 0) counts.delete(key)
}

export class HostQueue {
  readonly id: string
  readonly host: string
  /**
   * Last known number of times that new deliveries were announced for this host queue. A larger value in the database
   * means that there are new deliveries.
   */
  pokes: number
  health: Health
  scheme: SignatureScheme
  schemeAt: Date | null
  deliveredAt: Date | null
  /** Deliveries to the host that are in memory and not sent yet. */
  items: Item[] = []
  /** Time of the last response of the host, `performance.now()`. */
  respondedAt = Number.NEGATIVE_INFINITY
  /** Number of calls of `removeBlocked`. If it grew while deliveries were read, some of these may have to wait. */
  removals = 0
  /** True while more deliveries are read although deliveries are in flight. */
  isLoadingMore = false
  /** True if the table `deliveries` may have due deliveries to the host that this process has not read. */
  stale = false
  /** Time since which no delivery is in flight, `performance.now()`; null while a delivery is in flight. */
  idleSince: number | null = null
  #state: HostQueueState = 'idle'
  /** Deliveries whose result is not stored yet, by `keyOf`. After a crash, such deliveries are sent twice. */
  readonly #inFlight = new Set<string>()
  /**
   * Actors and objects of the deliveries in flight, each with its activity in flight. All other activities of these
   * actors and about these objects must wait.
   */
  readonly #busy: { readonly actors: Counts; readonly objects: Counts } = { actors: new Map(), objects: new Map() }
  /** Number of unordered deliveries (see `isUnordered`) to the host that are in flight. */
  #unordered = 0
  readonly #waiters = new Set<() => void>()

  constructor(row: HostQueueRow, now: number) {
    const isFresh = row.scheme_at !== null && now - row.scheme_at.getTime() < SCHEME_MS
    this.id = row.id
    this.host = row.host
    this.pokes = row.pokes
    this.health = healthOf(row)
    this.scheme = isFresh ? (signatureSchemes[row.scheme] ?? 'cavage') : 'cavage'
    this.schemeAt = isFresh ? row.scheme_at : null
    this.deliveredAt = row.delivered_at
  }

  get state(): HostQueueState {
    return this.#state
  }

  /**
   * Changes the state of the host queue. Returns false if the table of states does not allow the change, for example
   * after the lease was lost.
   */
  enter(state: HostQueueState): boolean {
    if (!mayEnter(this.#state, state)) return false
    this.#state = state
    if (state === 'idle') this.idleSince ??= performance.now()
    if (state === 'released') this.items = []
    if (this.isDone) this.#notify()
    return true
  }

  /** True if this process knows of no delivery to send: released, or idle and not stale. */
  get isDone(): boolean {
    return this.#state === 'released' || (this.#state === 'idle' && !this.stale)
  }

  /** Resolves when this process knows of no further delivery to send for the host queue. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve))
  }

  #notify(): void {
    for (const resolve of this.#waiters) resolve()
    this.#waiters.clear()
  }

  /** True if no delivery is in memory or in flight, and no deliveries are being read. */
  get isEmpty(): boolean {
    return this.#inFlight.size === 0 && this.items.length === 0 && !this.isLoadingMore
  }

  /** True for a host whose last delivery failed, or that never accepted a delivery. */
  get isDoubtful(): boolean {
    return this.health.failures > 0 || this.deliveredAt === null
  }

  isPaused(now: number): boolean {
    return this.health.pausedUntil !== null && this.health.pausedUntil > now
  }

  /** Whether the host has a free slot for an ordinary delivery, and for an unordered delivery. */
  get #room(): FreeSlots {
    const { health } = this
    const max = cap(health, this.deliveredAt !== null)
    // Unordered deliveries use no slot of ordinary deliveries, unless the host seems to be down.
    const inFlight = mayBeUp(health) ? this.#inFlight.size - this.#unordered : this.#inFlight.size
    const unordered = this.#unordered < MAX_UNORDERED && (mayBeUp(health) || this.#inFlight.size < max)
    return { ordinary: inFlight < max, unordered }
  }

  /** The next delivery that may start; undefined if there is none. The returned delivery stays in `items`. */
  next(): Item | undefined {
    return pick(this.items, this.#busy, this.#room)
  }

  /** True if a host queue with deliveries in flight has a free slot, but no delivery in memory may start. */
  get wantsMore(): boolean {
    if (this.#state !== 'sending' || this.#inFlight.size === 0 || this.isLoadingMore) return false
    const { ordinary, unordered } = this.#room
    return (ordinary || unordered) && this.next() === undefined
  }

  /** True while an unordered delivery is in flight, which may last until its time-out. */
  get isWaitingUnordered(): boolean {
    return this.#unordered > 0
  }

  /** Keys (`keyOf`) of the deliveries to the host that are in memory or in flight. */
  keys(): string[] {
    return [...this.#inFlight, ...this.items.map(keyOf)]
  }

  /** Actors with a delivery in memory, or with an ordered one in flight. */
  actors(): string[] {
    return [...this.#busy.actors.keys(), ...this.items.map((it) => it.actor)]
  }

  /** Moves a delivery from `items` to the deliveries in flight. */
  begin(item: Item): void {
    this.items.splice(this.items.indexOf(item), 1)
    if (isUnordered(item)) this.#unordered++
    else increment(this.#busy.actors, item.actor, item.activity)
    increment(this.#busy.objects, item.about, item.activity)
    this.#inFlight.add(keyOf(item))
    this.idleSince = null
  }

  /** Removes a delivery from the deliveries in flight, after its result was stored. */
  end(item: Item): void {
    if (isUnordered(item)) this.#unordered--
    else decrement(this.#busy.actors, item.actor)
    decrement(this.#busy.objects, item.about)
    this.#inFlight.delete(keyOf(item))
  }

  /**
   * Removes deliveries from `items` that wait for a failed delivery: all of its actor, or those about its object. Returns true if
   * there were any.
   *
   * The removed deliveries are read again when the failed delivery is due.
   */
  removeBlocked({ activity, ...by }: Blocked): boolean {
    this.removals++
    const waits = (it: Item) => ('actor' in by ? it.actor === by.actor : it.about === by.about)
    const before = this.items.length
    this.items = this.items.filter((it) => it.activity === activity || !waits(it))
    return this.items.length < before
  }
}
