/** A lane in the hands of this process: what it may send now, what it has on the way, how its host is doing. */
import { type Health, pick } from '../domain/lane.js'
import type { Due } from '../store/delivery.js'
import { healthOf, type LaneRow, type Manner, manners } from '../store/host.js'
import type { Parcel } from './bytes.js'
import type { Signer } from './signers.js'

/** A delivery with everything that sending it takes. */
export interface Item extends Due {
  readonly parcel: Parcel
  readonly signer: Signer
  /** What is said about followers on that server; null for most. */
  readonly synchronisation: string | null
}

export interface Lane {
  readonly id: string
  readonly host: string
  /** As we know it; if it grew, somebody wants us to look again. */
  pokes: number
  health: Health
  manner: Manner
  mannerAt: Date | null
  deliveredAt: Date | null
  queue: Item[]
  /** Actors with deliveries on the way or not yet written down, and of which activity: others of theirs must wait. */
  readonly busy: Map<string, { readonly activity: string; count: number }>
  /** Sent and not yet written down: what a crash would send twice. */
  inHand: number
  /** There may be more in the ledger than was read. */
  stale: boolean
  /** Another process has it by now. */
  lost: boolean
  /** Since when nothing was left to do, in ms of this process; null while there is. */
  restingSince: number | null
  /** Told when nothing is left to do now. */
  readonly waiters: Set<() => void>
}

/** How long it is remembered that a host wants another form of signature. */
const MANNER_MS = 7 * 86_400_000

export const laneOf = (row: LaneRow, now: number): Lane => {
  const known = row.manner_at !== null && now - row.manner_at.getTime() < MANNER_MS
  return {
    id: row.id,
    host: row.host,
    pokes: row.pokes,
    health: healthOf(row),
    manner: known ? (manners[row.manner] ?? 'cavage') : 'cavage',
    mannerAt: known ? row.manner_at : null,
    deliveredAt: row.delivered_at,
    queue: [],
    busy: new Map(),
    inHand: 0,
    stale: false,
    lost: false,
    restingSince: null,
    waiters: new Set(),
  }
}

/** Takes the next delivery off the queue; undefined when nothing may go now. */
export const takeNext = (lane: Lane): Item | undefined => {
  const next = pick(lane.queue, lane.busy)
  if (next !== undefined) lane.queue.splice(lane.queue.indexOf(next), 1)
  return next
}

/** Notes that a delivery begins, and that it is over and written down. */
export const begin = (lane: Lane, { actor, activity }: Item): void => {
  const busy = lane.busy.get(actor)
  if (busy) busy.count++
  else lane.busy.set(actor, { activity, count: 1 })
  lane.inHand++
  lane.restingSince = null
}
export const end = (lane: Lane, { actor }: Item): void => {
  const busy = lane.busy.get(actor)
  if (busy && --busy.count === 0) lane.busy.delete(actor)
  lane.inHand--
}

/** Later ones of this actor wait for the one that failed; they are read again when its time comes. */
export const holdBack = (lane: Lane, { actor, activity }: Pick<Item, 'actor' | 'activity'>): void => {
  lane.queue = lane.queue.filter((it) => it.actor !== actor || it.activity === activity)
}

/** Tells whoever waits that nothing is left to do now. */
export const announceIdle = (lane: Lane): void => {
  for (const told of lane.waiters) told()
  lane.waiters.clear()
}
