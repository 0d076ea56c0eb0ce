/** Sends the deliveries in the queues of lanes: in order per actor, a few at once per host, and a limited number in all. */
import type { Clock, Faults, Log } from '@murmuration/kernel'
import type { Outbound } from '@murmuration/outbound'
import { mayReachBlocked } from '../core/compaction.rules.js'
import { type HostRules, hostAccess } from '../core/hosts.js'
import { applyResult, type ResultContext } from './apply-result.js'
import type { Item, Lane } from './lane.js'
import { isUnordered } from './lane.rules.js'
import type { Ledger } from './ledger.js'
import { deliver, type Posted } from './send.client.js'
import { createSlots, type Kind } from './slots.js'

export interface Sender {
  /** Starts to send the deliveries of a lane: `loading` → `sending`. */
  start(lane: Lane): void
  /** Sends those deliveries of a lane in the state `sending` that may be sent now. */
  pump(lane: Lane): void
  /** Stops sending deliveries. Deliveries in flight continue. */
  stop(): void
}

export interface SenderContext extends ResultContext {
  clock: Clock
  log: Log
  faults: Faults
  outbound: Outbound
  rules: HostRules
  ledger: Ledger
  /** Maximum number of delivery requests in flight in this process. */
  inFlight: number
  timeoutMs: number
}

const kindOf = ({ health, deliveredAt }: Lane, item: Item): Kind => {
  if (item.payload.isActorDeletion) return 'deletion'
  return health.failures > 0 || isUnordered(item) ? 'failing' : deliveredAt === null ? 'unproven' : 'usual'
}

export interface SenderEvents {
  /** Called when a lane has no delivery in memory or in flight. */
  onEmpty(lane: Lane): void
  /** `onWantsMore` is called when a lane waits only for a slow delivery, and could send other deliveries. */
  onWantsMore(lane: Lane): void
}

export const createSender = (ctx: SenderContext, { onEmpty, onWantsMore }: SenderEvents): Sender => {
  const { clock, log, faults, ledger } = ctx
  const slots = createSlots(ctx.inFlight)
  let stopping = false

  /** Removes deliveries that the host must not receive, because it was blocked after they were read. The lane becomes stale. */
  const removeForbidden = (lane: Lane): void => {
    const access = hostAccess(ctx.rules, lane.host)
    if (access === 'open') return
    const kept = access === 'blocked' ? lane.queue.filter((it) => mayReachBlocked(it.payload)) : []
    if (kept.length < lane.queue.length) lane.stale = true
    lane.queue = kept
  }

  // One `pump` function per lane, so that a lane waits for a worker slot only once.
  const pumps = new WeakMap<Lane, () => void>()
  const pumpOf = (lane: Lane): (() => void) => {
    const known = pumps.get(lane) ?? (() => pump(lane))
    pumps.set(lane, known)
    return known
  }

  const post = async ({ payload, signer, synchronisation, url }: Item, lane: Lane): Promise<Posted | undefined> => {
    const { scheme } = lane
    try {
      const what = { ...payload, ...signer, url, synchronisation, scheme, timeoutMs: ctx.timeoutMs }
      const posted = await deliver(ctx.outbound, what, () => clock.now())
      if (faults.planned) await faults.reach('delivery.afterRemoteReply', payload.uri)
      return posted
    } catch (error) {
      log.warn({ error, host: lane.host }, 'a delivery failed for a reason of this server')
      return undefined
    }
  }

  const send = async (lane: Lane, item: Item, kind: Kind): Promise<void> => {
    const begunAt = performance.now()
    const posted = await post(item, lane)
    const onStored = () => {
      lane.end(item)
      pump(lane)
    }
    ledger.add(applyResult(ctx, lane, item, posted, onStored, begunAt))
    slots.give(kind)
  }

  const pump = (lane: Lane): void => {
    if (lane.state !== 'sending') return
    if (stopping || lane.isPaused(clock.now())) lane.queue = []
    removeForbidden(lane)
    for (let next = lane.next(); next !== undefined; next = lane.next()) {
      const kind = kindOf(lane, next)
      if (!slots.take(kind, pumpOf(lane))) return
      lane.begin(next)
      send(lane, next, kind)
    }
    if (lane.isEmpty) onEmpty(lane)
    else if (lane.stale && lane.isWaitingUnordered && lane.wantsMore) onWantsMore(lane)
  }

  return {
    start: (lane) => {
      lane.enter('sending')
      pump(lane)
    },
    pump,
    stop: () => {
      stopping = true
    },
  }
}
