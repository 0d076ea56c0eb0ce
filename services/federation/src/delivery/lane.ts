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
  /** Actors with a delivery on the way or not yet written down: theirs must wait. */
  readonly busy: Set<string>
  /** Sent and not yet written down. */
  inHand: number
  /** There may be more in the ledger than was read. */
  stale: boolean
  /** Another process has it by now. */
  lost: boolean
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
    busy: new Set(),
    inHand: 0,
    stale: false,
    lost: false,
    waiters: new Set(),
  }
}

/** Takes the next delivery off the queue; undefined when nothing may go now. */
export const takeNext = (lane: Lane): Item | undefined => {
  const next = pick(lane.queue, lane.busy)
  if (next !== undefined) lane.queue.splice(lane.queue.indexOf(next), 1)
  return next
}

/** Later ones of this actor wait for the one that failed; they are read again when its time comes. */
export const holdBack = (lane: Lane, actor: string): void => {
  lane.queue = lane.queue.filter((it) => it.actor !== actor)
}

/** Tells whoever waits that nothing is left to do now. */
export const announceIdle = (lane: Lane): void => {
  for (const told of lane.waiters) told()
  lane.waiters.clear()
}
