/** Context of federation handlers: the base of the kernel, and the stores and clients of this service. */

import { createGraphs, type Graphs } from '@murmuration/activitypub/signatures/graph'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { type BaseContext, blobOptionsOf } from '@murmuration/kernel'
import type { Outbound } from '@murmuration/outbound'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { createSelf, type Self } from './core/address/self.js'
import { openOutbound } from './core/client.js'
import { createKnownKeys, type KnownKeys } from './core/signature/known-keys.js'
import { createSigners, type Signers } from './core/signature/signers.js'
import { createDeliveryLoop, createPeers, type DeliveryLoop, type Peers } from './delivery/index.js'
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
import { createDocumentFetcher, type DocumentFetcher } from './resolver/index.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** Blob store: media files of accounts, and archives of accounts. */
  readonly blobs: BlobStore
  /** The guarded HTTP client: the only connection to other servers. */
  readonly outbound: Outbound
  /** Addresses of this server, and the key of its instance actor. */
  readonly self: Self
  /** Fetches documents of other servers with signed requests, within rate limits. */
  readonly fetcher: DocumentFetcher
  /** Stored keys of remote actors. */
  readonly knownKeys: KnownKeys
  /** Known servers: those that signed a valid request or returned an actor. */
  readonly peers: Peers
  /** Stores received activities, and their outcomes, in batches. */
  readonly intake: Intake
  /** Limits how many activities of one site this process handles at once. */
  readonly workerSlots: WorkerSlots
  /** Stores remote statuses. */
  readonly upsertStatus: UpsertStatus
  /** Cache of remote accounts. */
  readonly accountCache: AccountCache
  /** Worker thread that converts received JSON-LD to RDF graphs, to verify signatures inside documents. */
  readonly graphs: Graphs
  /**
   * Worker thread that converts outgoing JSON-LD to RDF graphs. It is separate, so that received documents cannot delay
   * it.
   */
  readonly ownGraphs: Graphs
  /** Counts activities that the inbox endpoint refused, by host and reason. */
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
  const signers = createSigners({
    call: base.call,
    clock: base.clock,
    invalidations: base.invalidations,
    keys: self.keys,
  })
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
  const deliveryLoop = createDeliveryLoop(inner)
  return { ...inner, deliveryLoop, fetcher: createDocumentFetcher(inner), knownKeys: createKnownKeys(inner) }
}
