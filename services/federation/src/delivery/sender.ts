/** Sends what lanes have in their queues: in order for each actor, few at once for each host, a bounded number in all. */
import type { Clock, Faults, Log } from '@murmuration/kernel'
import type { Outbound } from '@murmuration/outbound'
import { mayReachBlocked } from '../core/compaction.rules.js'
import { type HostRules, hostStanding } from '../core/hosts.js'
import { begin, end, type Item, type Lane, nextOf, wantsMore } from './lane.js'
import { isAside } from './lane.rules.js'
import type { Ledger } from './ledger.js'
import { deliver, type Posted } from './send.client.js'
import { type SettleContext, settle } from './settle.js'
import { createSlots, type Kind } from './slots.js'

export interface Sender {
  /** Starts what may start. A lane with nothing left, on the way or to send, is put aside. */
  pump(lane: Lane): void
  isPaused(lane: Lane): boolean
  /** Starts no more deliveries. Those in flight continue. */
  stop(): void
}

export interface SenderContext extends SettleContext {
  clock: Clock
  log: Log
  faults: Faults
  outbound: Outbound
  rules: HostRules
  ledger: Ledger
  /** Requests on the way at once. */
  inFlight: number
  timeoutMs: number
}

const kindOf = ({ health, deliveredAt }: Lane, item: Item): Kind => {
  if (item.payload.isActorDeletion) return 'deletion'
  return health.failures > 0 || isAside(item) ? 'probe' : deliveredAt === null ? 'unproven' : 'usual'
}

/** `loadMore` reads more deliveries for a lane that is sending some and may send others. */
export const createSender = (
  ctx: SenderContext,
  putAside: (lane: Lane) => void,
  loadMore: (lane: Lane) => void,
): Sender => {
  const { clock, log, faults, ledger } = ctx
  const slots = createSlots(ctx.inFlight)
  let stopping = false

  const isPaused = (lane: Lane): boolean => lane.health.pausedUntil !== null && lane.health.pausedUntil > clock.now()

  /** Keeps deliveries that may still go to the host, which may have been blocked since they were read. Others are read again. */
  const judgeAgain = (lane: Lane): void => {
    const standing = hostStanding(ctx.rules, lane.host)
    if (standing === 'open') return
    const kept = standing === 'blocked' ? lane.queue.filter((it) => mayReachBlocked(it.payload)) : []
    if (kept.length < lane.queue.length) lane.stale = true
    lane.queue = kept
  }

  // One function a lane, so that it waits for a slot once.
  const again = new WeakMap<Lane, () => void>()
  const againOf = (lane: Lane): (() => void) => {
    const known = again.get(lane) ?? (() => pump(lane))
    again.set(lane, known)
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
      log.warn({ error, host: lane.host }, 'a delivery failed for reasons of our own')
      return undefined
    }
  }

  const send = async (lane: Lane, item: Item, kind: Kind): Promise<void> => {
    const begunAt = performance.now()
    const posted = await post(item, lane)
    const written = () => {
      end(lane, item)
      pump(lane)
    }
    ledger.add(settle(ctx, lane, item, posted, written, begunAt))
    slots.give(kind)
  }

  const pump = (lane: Lane): void => {
    if (lane.lost) return
    if (stopping || isPaused(lane)) lane.queue = []
    judgeAgain(lane)
    for (let next = nextOf(lane); next !== undefined; next = nextOf(lane)) {
      const kind = kindOf(lane, next)
      if (!slots.take(kind, againOf(lane))) return
      begin(lane, next)
      send(lane, next, kind)
    }
    if (lane.onTheWay.size === 0 && lane.queue.length === 0 && !lane.loading) putAside(lane)
    // A delivery that timed out before may be on its way for long.
    else if (lane.stale && lane.aside > 0 && wantsMore(lane)) loadMore(lane)
  }

  return {
    pump,
    isPaused,
    stop: () => {
      stopping = true
    },
  }
}
