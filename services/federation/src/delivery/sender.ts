/** Sends the deliveries in host queues: in order per actor, a few at once per host, and a limited number in all. */
import type { Clock, Faults, Log } from '@murmuration/kernel'
import type { Outbound } from '@murmuration/outbound'
import { mayReachBlocked } from '../core/activity/compaction.rules.js'
import { type HostRules, hostAccess } from '../core/host/hosts.js'
import { applyResult, type ResultContext } from './apply-result.js'
import type { HostQueue, Item } from './host-queue.js'
import { isUnordered } from './host-queue.rules.js'
import type { Ledger } from './ledger.js'
import { deliver, type Posted } from './send.client.js'
import { createSlots, type Kind } from './slots.js'

export interface Sender {
  /** Starts to send the deliveries of a host queue: `loading` → `sending`. */
  start(queue: HostQueue): void
  /** Sends those deliveries of a host queue in the state `sending` that may be sent now. */
  pump(queue: HostQueue): void
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

const kindOf = ({ health, deliveredAt }: HostQueue, item: Item): Kind => {
  if (item.payload.isActorDeletion) return 'deletion'
  return health.failures > 0 || isUnordered(item) ? 'failing' : deliveredAt === null ? 'unproven' : 'usual'
}

export interface SenderEvents {
  /** Called when a host queue has no delivery in memory or in flight. */
  onEmpty(queue: HostQueue): void
  /** `onWantsMore` is called when a host queue waits only for a slow delivery, and could send other deliveries. */
  onWantsMore(queue: HostQueue): void
}

export const createSender = (ctx: SenderContext, { onEmpty, onWantsMore }: SenderEvents): Sender => {
  const { clock, log, faults, ledger } = ctx
  const slots = createSlots(ctx.inFlight)
  let stopping = false

  /**
   * Removes deliveries that the host must not receive, because it was blocked after they were read. The host queue
   * becomes stale.
   */
  const removeForbidden = (queue: HostQueue): void => {
    const access = hostAccess(ctx.rules, queue.host)
    if (access === 'open') return
    const kept = access === 'blocked' ? queue.items.filter((it) => mayReachBlocked(it.payload)) : []
    if (kept.length < queue.items.length) queue.stale = true
    queue.items = kept
  }

  // One `pump` function per host queue, so that it waits for a worker slot only once.
  const pumps = new WeakMap<HostQueue, () => void>()
  const pumpOf = (queue: HostQueue): (() => void) => {
    const known = pumps.get(queue) ?? (() => pump(queue))
    pumps.set(queue, known)
    return known
  }

  const post = async (
    { payload, signer, synchronisation, url }: Item,
    queue: HostQueue,
  ): Promise<Posted | undefined> => {
    const { scheme } = queue
    try {
      const what = { ...payload, ...signer, url, synchronisation, scheme, timeoutMs: ctx.timeoutMs }
      const posted = await deliver(ctx.outbound, what, () => clock.now())
      if (faults.planned) await faults.reach('delivery.afterRemoteReply', payload.uri)
      return posted
    } catch (error) {
      log.warn({ error, host: queue.host }, 'a delivery failed for a reason of this server')
      return undefined
    }
  }

  const send = async (queue: HostQueue, item: Item, kind: Kind): Promise<void> => {
    const begunAt = performance.now()
    const posted = await post(item, queue)
    const onStored = () => {
      queue.end(item)
      pump(queue)
    }
    ledger.add(applyResult(ctx, queue, item, posted, onStored, begunAt))
    slots.give(kind)
  }

  const pump = (queue: HostQueue): void => {
    if (queue.state !== 'sending') return
    if (stopping || queue.isPaused(clock.now())) queue.items = []
    removeForbidden(queue)
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      const kind = kindOf(queue, next)
      if (!slots.take(kind, pumpOf(queue))) return
      queue.begin(next)
      send(queue, next, kind)
    }
    if (queue.isEmpty) onEmpty(queue)
    else if (queue.stale && queue.isWaitingUnordered && queue.wantsMore) onWantsMore(queue)
  }

  return {
    start: (queue) => {
      queue.enter('sending')
      pump(queue)
    },
    pump,
    stop: () => {
      stopping = true
    },
  }
}
