/** The queue of one host in this process: deliveries that may start, deliveries on their way, and the health of the host. */

import { type SignatureScheme, signatureSchemes } from '../core/signature-scheme.rules.js'
import type { Signer } from '../core/signers.js'
import type { Due } from './delivery.store.js'
import { healthOf, type LaneRow } from './host.store.js'
import { cap, type Health, isAside, MOST_ASIDE, mayBeUp, pick, type Room } from './lane.rules.js'
import type { Payload } from './payload.js'

/** A delivery with everything that sending it takes. */
export interface Item extends Due {
  readonly payload: Payload
  readonly signer: Signer
  /** Collection-Synchronization header for that server; null for most activities. */
  readonly synchronisation: string | null
}

type Counts = Map<string, { readonly activity: string; count: number }>

export const keyOf = ({ activity, inbox }: Pick<Due, 'activity' | 'inbox'>): string => `${activity} ${inbox}`

export interface Lane {
  readonly id: string
  readonly host: string
  /** Last known value. A larger value in the database means that there are new deliveries. */
  pokes: number
  health: Health
  scheme: SignatureScheme
  schemeAt: Date | null
  deliveredAt: Date | null
  queue: Item[]
  /** Actors and objects with deliveries in flight or not yet stored, with the activity. Their other activities wait. */
  readonly busy: { readonly actors: Counts; readonly objects: Counts }
  /** Deliveries that are sent and not yet stored, by `keyOf`: a crash would send them twice. */
  readonly onTheWay: Set<string>
  /** How many of them stepped aside. */
  aside: number
  /** When the host last responded to a delivery, in ms of this process. */
  respondedAt: number
  /** More deliveries are being read while some are on their way. */
  loading: boolean
  /** There may be more in the ledger than was read. */
  stale: boolean
  /** Another process has it by now. */
  lost: boolean
  /** Since when nothing was left to do, in ms of this process; null while there is. */
  restingSince: number | null
  /** Called when the lane becomes idle. */
  readonly waiters: Set<() => void>
}

/** How long it is remembered that a host wants another form of signature. */
const SCHEME_MS = 7 * 86_400_000

export const laneOf = (row: LaneRow, now: number): Lane => {
  const known = row.scheme_at !== null && now - row.scheme_at.getTime() < SCHEME_MS
  return {
    id: row.id,
    host: row.host,
    pokes: row.pokes,
    health: healthOf(row),
    scheme: known ? (signatureSchemes[row.scheme] ?? 'cavage') : 'cavage',
    schemeAt: known ? row.scheme_at : null,
    deliveredAt: row.delivered_at,
    queue: [],
    busy: { actors: new Map(), objects: new Map() },
    onTheWay: new Set(),
    aside: 0,
    respondedAt: Number.NEGATIVE_INFINITY,
    loading: false,
    stale: false,
    lost: false,
    restingSince: null,
    waiters: new Set(),
  }
}

/** Whether the host gets another delivery now. */
const roomOf = ({ health, deliveredAt, onTheWay, aside }: Lane): Room => {
  const most = cap(health, deliveredAt !== null)
  // A delivery that timed out before takes no slot of others, unless the host itself seems to be down.
  const ordinary = mayBeUp(health) ? onTheWay.size - aside < most : onTheWay.size < most
  return { ordinary, aside: aside < MOST_ASIDE && (mayBeUp(health) || onTheWay.size < most) }
}

/** The next delivery that may start, which stays in the queue; undefined when none may. */
export const nextOf = (lane: Lane): Item | undefined => pick(lane.queue, lane.busy, roomOf(lane))

/** True when a lane with deliveries on their way could start another, and none of those in memory may. */
export const wantsMore = (lane: Lane): boolean => {
  const { ordinary, aside } = roomOf(lane)
  const isWaiting = lane.onTheWay.size > 0 && (ordinary || aside) && !lane.loading && !lane.lost
  return isWaiting && nextOf(lane) === undefined
}

const count = (counts: Counts, key: string, activity: string): void => {
  const known = counts.get(key)
  if (known) known.count++
  else counts.set(key, { activity, count: 1 })
}
const uncount = (counts: Counts, key: string): void => {
  const known = counts.get(key)
  if (known && --known.count === 0) counts.delete(key)
}

/** Notes that a delivery leaves the queue and begins, and that its result is stored. */
export const begin = (lane: Lane, item: Item): void => {
  lane.queue.splice(lane.queue.indexOf(item), 1)
  if (isAside(item)) lane.aside++
  else count(lane.busy.actors, item.actor, item.activity)
  count(lane.busy.objects, item.about, item.activity)
  lane.onTheWay.add(keyOf(item))
  lane.restingSince = null
}
export const end = (lane: Lane, item: Item): void => {
  if (isAside(item)) lane.aside--
  else uncount(lane.busy.actors, item.actor)
  uncount(lane.busy.objects, item.about)
  lane.onTheWay.delete(keyOf(item))
}

/** Later activities wait for the one that failed: all of its actor, or those about its object. They are read again when it is due. */
export const holdBack = (
  lane: Lane,
  { activity, ...by }: { activity: string } & ({ actor: string } | { about: string }),
): void => {
  const waits = (it: Item) => ('actor' in by ? it.actor === by.actor : it.about === by.about)
  lane.queue = lane.queue.filter((it) => it.activity === activity || !waits(it))
}

/** Notifies callers that the lane is idle. */
export const announceIdle = (lane: Lane): void => {
  for (const told of lane.waiters) told()
  lane.waiters.clear()
}
