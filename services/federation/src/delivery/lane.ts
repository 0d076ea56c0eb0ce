/** The lane of one host in this process: its state, its deliveries in memory and in flight, and the health of the host. */

import { type SignatureScheme, signatureSchemes } from '../core/signature-scheme.rules.js'
import type { Signer } from '../core/signers.js'
import type { Due } from './delivery.store.js'
import { healthOf, type LaneRow } from './host.store.js'
import { cap, type Health, isAside, MOST_ASIDE, mayBeUp, pick, type Room } from './lane.rules.js'
import { type LaneState, mayEnter } from './lane-state.rules.js'
import type { Payload } from './payload.js'

/** A delivery with everything that sending it takes. */
export interface Item extends Due {
  readonly payload: Payload
  readonly signer: Signer
  /** Collection-Synchronization header for that server; null for most activities. */
  readonly synchronisation: string | null
}

type Counts = Map<string, { readonly activity: string; count: number }>

/** How long it is remembered that a host wants another form of signature. */
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

export class Lane {
  readonly id: string
  readonly host: string
  /** Last known value. A larger value in the database means that there are new deliveries. */
  pokes: number
  health: Health
  scheme: SignatureScheme
  schemeAt: Date | null
  deliveredAt: Date | null
  /** Deliveries in memory that have not started. */
  queue: Item[] = []
  /** When the host last responded to a delivery, in ms of this process. */
  respondedAt = Number.NEGATIVE_INFINITY
  /** More deliveries are being read while some are in flight. */
  isLoadingMore = false
  /** There may be more in the ledger than was read. */
  stale = false
  /** Since when nothing was sent, in ms of this process; null while something is. */
  idleSince: number | null = null
  #state: LaneState = 'idle'
  /** Deliveries that are sent and not yet stored, by `keyOf`: a crash would send them twice. */
  readonly #inFlight = new Set<string>()
  /** Their actors and objects, with the activity. Other activities of these wait. */
  readonly #busy: { readonly actors: Counts; readonly objects: Counts } = { actors: new Map(), objects: new Map() }
  /** How many of them stepped aside. */
  #aside = 0
  readonly #waiters = new Set<() => void>()

  constructor(row: LaneRow, now: number) {
    const isFresh = row.scheme_at !== null && now - row.scheme_at.getTime() < SCHEME_MS
    this.id = row.id
    this.host = row.host
    this.pokes = row.pokes
    this.health = healthOf(row)
    this.scheme = isFresh ? (signatureSchemes[row.scheme] ?? 'cavage') : 'cavage'
    this.schemeAt = isFresh ? row.scheme_at : null
    this.deliveredAt = row.delivered_at
  }

  get state(): LaneState {
    return this.#state
  }

  /** Changes the state. Returns false if the table of states does not allow it, for example after the lease was lost. */
  enter(state: LaneState): boolean {
    if (!mayEnter(this.#state, state)) return false
    this.#state = state
    if (state === 'idle') this.idleSince ??= performance.now()
    if (state === 'released') this.queue = []
    if (this.isDone) this.#notify()
    return true
  }

  /** Nothing is known that this process has to send. */
  get isDone(): boolean {
    return this.#state === 'released' || (this.#state === 'idle' && !this.stale)
  }

  /** Resolves when the lane is done. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve))
  }

  #notify(): void {
    for (const resolve of this.#waiters) resolve()
    this.#waiters.clear()
  }

  /** Nothing in memory and nothing in flight. */
  get isEmpty(): boolean {
    return this.#inFlight.size === 0 && this.queue.length === 0 && !this.isLoadingMore
  }

  /** True for a host that failed the last time or never took anything. */
  get isDoubtful(): boolean {
    return this.health.failures > 0 || this.deliveredAt === null
  }

  isPaused(now: number): boolean {
    return this.health.pausedUntil !== null && this.health.pausedUntil > now
  }

  /** Whether the host gets another delivery now. */
  get #room(): Room {
    const { health } = this
    const most = cap(health, this.deliveredAt !== null)
    // A delivery that timed out before takes no slot of others, unless the host itself seems to be down.
    const inFlight = mayBeUp(health) ? this.#inFlight.size - this.#aside : this.#inFlight.size
    const aside = this.#aside < MOST_ASIDE && (mayBeUp(health) || this.#inFlight.size < most)
    return { ordinary: inFlight < most, aside }
  }

  /** The next delivery that may start, which stays in the queue; undefined when none may. */
  next(): Item | undefined {
    return pick(this.queue, this.#busy, this.#room)
  }

  /** True when a lane with deliveries in flight could start another, and none of those in memory may. */
  get wantsMore(): boolean {
    if (this.#state !== 'sending' || this.#inFlight.size === 0 || this.isLoadingMore) return false
    const { ordinary, aside } = this.#room
    return (ordinary || aside) && this.next() === undefined
  }

  /** True while a delivery that timed out before is in flight, which may last long. */
  get isWaitingAside(): boolean {
    return this.#aside > 0
  }

  /** Keys of the deliveries in memory and in flight. */
  keys(): string[] {
    return [...this.#inFlight, ...this.queue.map(keyOf)]
  }

  /** Moves a delivery from the queue into flight. */
  begin(item: Item): void {
    this.queue.splice(this.queue.indexOf(item), 1)
    if (isAside(item)) this.#aside++
    else increment(this.#busy.actors, item.actor, item.activity)
    increment(this.#busy.objects, item.about, item.activity)
    this.#inFlight.add(keyOf(item))
    this.idleSince = null
  }

  /** Ends a delivery whose result is stored. */
  end(item: Item): void {
    if (isAside(item)) this.#aside--
    else decrement(this.#busy.actors, item.actor)
    decrement(this.#busy.objects, item.about)
    this.#inFlight.delete(keyOf(item))
  }

  /**
   * Removes activities from the queue that wait for a failed one: all of its actor, or those about its object.
   *
   * They are read again when the failed one is due.
   */
  holdBack({ activity, ...by }: { activity: string } & ({ actor: string } | { about: string })): void {
    const waits = (it: Item) => ('actor' in by ? it.actor === by.actor : it.about === by.about)
    this.queue = this.queue.filter((it) => it.activity === activity || !waits(it))
  }
}
