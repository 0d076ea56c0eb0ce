/** Context of federation handlers: the base of the kernel, and the stores and clients of this service. */

import { createGraphs, type Graphs } from '@murmuration/activitypub/signatures/graph'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { type BaseContext, blobOptionsOf } from '@murmuration/kernel'
import type { Outbound } from '@murmuration/outbound'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { openOutbound } from './core/client.js'
import { createKnownKeys, type KnownKeys } from './core/known-keys.js'
import { createSelf, type Self } from './core/self.js'
import { createSigners, type Signers } from './core/signers.js'
import { createPeers, type DeliveryLoop, openDelivery, type Peers } from './delivery/index.js'
import {
  type AccountCache,
  createAccountCache,
  createIntake,
  createRefusals,
  createStatusUpsert,
  createWorkerSlots,
  type Intake,
  type Refusals,
  type UpsertStatus,
  type WorkerSlots,
} from './inbox/index.js'
import { createReader, type Reader } from './resolver/index.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** Files of accounts, and their archives. */
  readonly blobs: BlobStore
  /** The guarded HTTP client: the only connection to other servers. */
  readonly outbound: Outbound
  readonly self: Self
  /** Reads signed documents of other servers, within budgets. */
  readonly reader: Reader
  /** Stored keys of remote actors. */
  readonly knownKeys: KnownKeys
  readonly peers: Peers
  /** Stores and closes received activities in batches. */
  readonly intake: Intake
  /** Counts the activities of each site that this process works on. */
  readonly workerSlots: WorkerSlots
  /** Stores remote statuses. */
  readonly upsertStatus: UpsertStatus
  /** Cache of remote accounts. */
  readonly accountCache: AccountCache
  /** Reads what others sent as graphs, for signatures inside. */
  readonly graphs: Graphs
  /** The same for outgoing documents, so that documents of other servers cannot delay them. */
  readonly ownGraphs: Graphs
  /** Counts what the inboxes do not take. */
  readonly refusals: Refusals
  /** Signing keys of local accounts. */
  readonly signers: Signers
  /** Sends queued deliveries to other servers. */
  readonly deliveryLoop: DeliveryLoop
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.common.mode, base.env)
  const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
  base.onClose('blobs', () => blobs.close())
  const outbound = openOutbound(base, config, 'outbound')
  const self = createSelf(base, config)
  const peers = createPeers(base.db, () => base.clock.now())
  const intake = createIntake(base)
  const accountCache = createAccountCache(base)
  const upsertStatus = createStatusUpsert(base)
  const signers = createSigners({ call: base.call, clock: base.clock, hints: base.hints, keys: self.keys })
  const [graphs, ownGraphs] = [createGraphs(readingContext), createGraphs(readingContext)]
  base.onClose('graphs', async () => void (await Promise.all([graphs.close(), ownGraphs.close()])))
  const inner = {
    ...base,
    config,
    blobs,
    outbound,
    self,
    peers,
    intake,
    workerSlots: createWorkerSlots(),
    accountCache,
    upsertStatus,
    graphs,
    ownGraphs,
    signers,
    refusals: createRefusals(base),
  }
  const deliveryLoop = openDelivery(inner)
  return { ...inner, deliveryLoop, reader: createReader(inner), knownKeys: createKnownKeys(inner) }
}
