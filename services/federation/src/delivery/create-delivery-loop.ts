/**
 * Creates the delivery loop and the objects that it uses. The delivery loop has an HTTP client of its own, so that
 * fetches do not delay deliveries.
 */
import { createHash } from 'node:crypto'
import { refetchGoneActorJob } from '@murmuration/contracts/federation'
import { createMemoryCache } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from '../calls.js'
import type { Config } from '../config.js'
import type { Self } from '../core/address/self.js'
import { openOutbound } from '../core/client.js'
import { createSigners } from '../core/signature/signers.js'
import type { GoneActor } from './apply-result.js'
import { DeliveryLoop } from './delivery-loop.js'
import { MAX_REQUESTS_PER_HOST } from './host-queue.rules.js'
import { createLedger } from './ledger.js'
import { createLoader } from './loader.js'
import { createPayloads } from './payload.js'
import { createSynchronisation } from './synchronisation.js'

type Needs = Pick<
  BaseContext<(typeof calls)[number]>,
  | 'common'
  | 'site'
  | 'clock'
  | 'db'
  | 'invalidations'
  | 'log'
  | 'needs'
  | 'faults'
  | 'policy'
  | 'queues'
  | 'call'
  | 'onClose'
> & { readonly config: Config; readonly self: Self }

const DAY_MS = 86_400_000

/**
 * Queues a fetch of an actor, or of the actors of an inbox, once a day per process. The job limits the fetches of all
 * processes to one a day.
 */
const createRefetchGoneActor = (ctx: Needs) => {
  const queued = createMemoryCache<true>({ max: 10_000, ttlMs: DAY_MS, now: () => ctx.clock.now() })
  return (whose: GoneActor): void => {
    const day = Math.floor(ctx.clock.now() / DAY_MS)
    const name = 'uri' in whose ? whose.uri : `inbox ${whose.inbox}`
    const id = createHash('sha256').update(`${day} ${name}`).digest('base64url')
    if (queued.get(id)) return
    queued.set(id, true)
    ctx.queues.push(refetchGoneActorJob, { id, data: whose }).catch((error: unknown) => {
      queued.delete(id)
      ctx.log.warn({ error }, 'an actor whose inbox no longer exists could not be queued for a refresh')
    })
  }
}

export const createDeliveryLoop = (ctx: Needs): DeliveryLoop => {
  const { config, clock, db, log } = ctx
  const outbound = openOutbound(ctx, config, 'delivery', {
    maxConnectionsPerHost: MAX_REQUESTS_PER_HOST,
    maxInFlight: config.deliveriesInFlight,
  })
  const loop = new DeliveryLoop({
    db,
    clock,
    log,
    faults: ctx.faults,
    outbound,
    rules: ctx,
    ledger: createLedger({ db, clock, log }),
    loader: createLoader({
      db,
      clock,
      log,
      payloads: createPayloads({ db, clock }),
      signers: createSigners({ call: ctx.call, clock, invalidations: ctx.invalidations, keys: ctx.self.keys }),
      synchronisation: createSynchronisation({ call: ctx.call, clock, log }),
    }),
    inFlight: config.deliveriesInFlight,
    timeoutMs: config.deliveryTimeoutMs,
    refetchGoneActor: createRefetchGoneActor(ctx),
  })
  ctx.onClose('delivery', () => loop.stop())
  return loop
}
