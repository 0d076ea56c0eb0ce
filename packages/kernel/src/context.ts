/** Base context of every service: stores, bus, clock and ids, opened in order and closed in reverse order. */
import {
  connectBus,
  createPublisher,
  type JetStreamManager,
  jetstreamManager,
  type NatsConnection,
  type Publisher,
} from '@murmuration/bus'
import type { Redis } from '@murmuration/cache'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type Database, openDatabase } from '@murmuration/db'
import { type Call, createCall } from './call.js'
import type { Clock } from './clock.js'
import { busPasswordOf, type CommonConfig, databaseUrlOf, type Site, siteOf } from './config.js'
import type { Faults } from './faults.js'
import { createIds, type Ids } from './ids.js'
import { createInvalidations, type Invalidations } from './invalidations.js'
import { guardCommits } from './late-commits.js'
import type { Log } from './log.js'
import type { Manifest } from './manifest.js'
import { type Announce, createOutbox, type Outbox, type Queue } from './outbox.js'
import { type Policy, watchPolicy } from './policy.js'
import { createQueues, type Queues } from './queues.js'
import { openRedisStores } from './redis.js'
import { remainingMs } from './request.js'
import type { Needs } from './role-resources.js'
import { type Stalls, watchStalls } from './stalls.js'

export interface BaseContext<Calls extends AnyOperation = AnyOperation> {
  /** Environment of the process. Only the file `config.ts` of a service may read it. */
  readonly env: NodeJS.ProcessEnv
  readonly common: CommonConfig
  readonly site: Site
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
  readonly faults: Faults
  readonly db: Database
  /** State in Redis, never evicted. Usable in roles with the need `redis`. */
  readonly redis: Redis
  /** Cache in Redis, may be evicted. Usable in roles with the need `redis-cache`. */
  readonly redisCache: Redis
  /** Opens further resources that the roles of this process need, such as the blob store. */
  readonly needs: Needs
  readonly call: Call<Calls>
  /** Stores an event in the outbox, in the transaction of its change. The event is published after the commit. */
  readonly announce: Announce
  /** Stores a job in the outbox, in the transaction of its change. The job is queued after the commit. */
  readonly queue: Queue
  /** Queues jobs outside of a transaction. The data on which the jobs work must already be stored. */
  readonly queues: Queues
  readonly invalidations: Invalidations
  readonly policy: Policy
  /** Returns `ms`, the milliseconds between two batches, or 0 if the setting `BATCH_PAUSES` is off. */
  batchPause(ms: number): number
  /** Connection to NATS, for live subjects. */
  readonly nc: NatsConnection
  /** Registers a function that closes a resource when the process ends. Resources are closed in reverse order of registration. */
  onClose(name: string, close: () => Promise<void> | void): void
}

/** Parts of the base context that only the kernel may use. */
export interface KernelContext {
  stalls: Stalls
  nc: NatsConnection
  jsm: JetStreamManager
  outbox: Outbox
  publisher: Publisher
  closers: { name: string; close: () => Promise<void> | void }[]
}

const noDatabase = (service: string): Database => {
  const refuse = () => Promise.reject(new Error(`${service} owns no data`))
  return {
    rows: refuse,
    row: refuse,
    run: refuse,
    tx: refuse,
    exists: refuse,
    healthy: async () => true,
    load: () => ({ total: 0, idle: 0, waiting: 0 }),
    close: async () => {},
  }
}

/** Opens the stores and the bus connection of one service. */
export const openBase = async (
  manifest: Manifest,
  shared: { common: CommonConfig; clock: Clock; faults: Faults; log: Log; env: NodeJS.ProcessEnv },
  needs: Needs,
  redisTimeoutMs?: number,
): Promise<{ base: BaseContext; insides: KernelContext }> => {
  const { common, clock, faults, log } = shared
  const { service } = manifest
  const closers: KernelContext['closers'] = []
  let stalls: Stalls | undefined
  const db = manifest.database
    ? openDatabase({
        url: databaseUrlOf(common, service, shared.env),
        schema: service,
        connections: common.databasePool,
        connectionWaitMs: common.databasePoolTimeout,
        prepared: common.preparedStatements,
        settingsOfLogin: !common.preparedStatements && common.databaseRoles === 'derived',
        remainingMs,
        guard: guardCommits((at) => stalls?.longestSince(at) ?? 0),
        onFaultPoint: faults.planned ? (point) => faults.reach(`${service}.${point}`) : undefined,
        onError: (error) => log.warn({ error }, 'a database connection was lost'),
      })
    : noDatabase(service)
  closers.push({ name: 'database', close: () => db.close() })
  const { redis, redisCache } = await openRedisStores({ manifest, needs, ...shared, timeoutMs: redisTimeoutMs })
  closers.push({ name: 'redis', close: async () => void (await Promise.all([redis.close(), redisCache.close()])) })
  const nc = await connectBus({
    url: common.natsUrl,
    service,
    name: `murmuration ${service}`,
    password: busPasswordOf(common, service),
    onWait: (hosts) => log.warn({}, `waits for NATS at ${hosts}`),
    onStatus: (status, detail) => {
      if (status !== 'ping' && status !== 'close')
        log[/error|disconnect/i.test(status) ? 'warn' : 'info']({ status, detail }, 'bus connection')
    },
  })
  stalls = watchStalls(() => nc.flush())
  closers.push({ name: 'stalls', close: () => stalls?.stop() })
  closers.push({ name: 'bus', close: () => (nc.isClosed() ? undefined : nc.drain()) })
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const publisher = createPublisher(nc)
  const ids = createIds(clock)
  const batchPause = (ms: number): number => (common.batchPauses ? ms : 0)
  const outbox = createOutbox({ service, db, publisher, ids, faults, log, batchPause })
  closers.push({ name: 'outbox', close: () => outbox.flush(2_000) })
  const policy = watchPolicy(nc, log)
  closers.push({ name: 'policy', close: () => policy.stop() })
  const base: BaseContext = {
    env: shared.env,
    common,
    site: siteOf(common),
    log,
    clock,
    ids,
    faults,
    db,
    redis,
    redisCache,
    needs,
    call: createCall(nc, manifest.calls),
    announce: outbox.announce,
    queue: outbox.queue,
    queues: createQueues(publisher),
    invalidations: createInvalidations(nc),
    policy,
    batchPause,
    nc,
    onClose: (name, close) => closers.push({ name, close }),
  }
  return { base, insides: { stalls, nc, jsm, outbox, publisher, closers } }
}
