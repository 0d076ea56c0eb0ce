/** Puts delivery together: keys, bytes, ledger and lanes, and a way out of its own so that it never waits for reading. */
import { createHash } from 'node:crypto'
import { lookAgainJob } from '@murmuration/contracts/federation'
import { tellRefusals } from '@murmuration/kernel'
import { createOutbound } from '@murmuration/outbound'
import type { Context } from '../context.js'
import { MOST_IN_HAND } from '../domain/lane.js'
import { createParcels } from './bytes.js'
import { createLanes, type Lanes } from './lanes.js'
import { createLedger } from './ledger.js'
import { createLoader } from './loader.js'
import { createSigners } from './signers.js'
import { createSynchronisation } from './synchronisation.js'

type Needs = Pick<
  Context,
  'common' | 'site' | 'config' | 'clock' | 'db' | 'log' | 'faults' | 'policy' | 'queues' | 'call' | 'self' | 'onClose'
>

const DAY_MS = 86_400_000

/** Asks for an actor at most once a day: the same job has the same id until then. */
const lookAgain =
  (ctx: Needs) =>
  (uri: string): void => {
    const day = Math.floor(ctx.clock.now() / DAY_MS)
    const id = createHash('sha256').update(`${day} ${uri}`).digest('base64url')
    ctx.queues
      .push(lookAgainJob, { id, data: { uri } })
      .catch((error: unknown) => ctx.log.warn({ error }, 'an actor whose inbox is gone is not looked at again'))
  }

export const openDelivery = (ctx: Needs): Lanes => {
  const { config, clock, db, log } = ctx
  const { allowAddresses } = config
  const outbound = createOutbound({
    userAgent: `Murmuration/4.6.0 (+${ctx.site.origin}/)`,
    mode: ctx.common.mode,
    onRefused: tellRefusals(ctx),
    allowPrivate: allowAddresses.length > 0,
    allowAddresses: [...allowAddresses],
    allowHttp: allowAddresses.length > 0,
    ...(config.extraCaFile ? { extraCaFile: config.extraCaFile } : {}),
    maxConnectionsPerHost: MOST_IN_HAND,
    maxInFlight: config.deliveriesInFlight,
    clock,
  })
  ctx.onClose('delivery', () => outbound.close())
  const lanes = createLanes({
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
      parcels: createParcels({ db, clock }),
      signers: createSigners({ call: ctx.call, clock, keys: ctx.self.keys }),
      synchronisation: createSynchronisation({ call: ctx.call, clock, log }),
    }),
    inFlight: config.deliveriesInFlight,
    timeoutMs: config.deliveryTimeoutMs,
    lookAgain: lookAgain(ctx),
  })
  ctx.onClose('lanes', () => lanes.stop())
  return lanes
}
