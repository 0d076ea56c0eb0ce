/** Runs services in a test, with their own database and NATS server. Tests call them over the bus, as in production. */
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { NatsConnection, RpcResponse } from '@murmuration/bus'
import type { AnyOperation, Caller, Operation, ResultOf, Viewer } from '@murmuration/contracts/kit'
import { type Database, openDatabase, type Sql, sql } from '@murmuration/db'
import {
  type App,
  createSendRequest,
  createStreamGrants,
  databaseRoleOf,
  decodeResponse,
  type Host,
  type QueueState,
  startHost,
} from '@murmuration/kernel'
import type { z } from 'zod'
import { startBus } from './bus.js'
import { createMigratedDatabase, dropDatabase, repository } from './databases.js'
import { createIdleCheck, waitUntilIdle } from './idle.js'
import { lacksPolicy, waitForPolicy, writeEmptyPolicy } from './instance-policy.js'
import { freePort, type TestNats } from './nats-server.js'
import { testRedisUrl } from './redis-database.js'

export interface ClusterOptions {
  apps: readonly App[]
  /** Environment variables in addition to the defaults, such as `FAULT_POINTS` and settings of services. */
  env?: Record<string, string>
}

/** Request headers that a client may set in addition to the input. */
export interface AskedWith {
  idempotencyKey?: string
  locale?: string
  /** Request id by which a test finds the log lines of this request. */
  requestId?: string
}

export type InputOf<Op> = Op extends Operation<infer I, infer _O, infer _K> ? z.input<I> : never
export type OutputOf<Op> = Op extends Operation<infer _I, infer O, infer _K> ? ResultOf<O> : never

/**
 * Long time limits for SQL statements of the test itself. Such a statement may insert thousands of rows while other
 * tests use the machine.
 */
const PATIENT = { statementTimeoutMs: 300_000, connectionWaitMs: 60_000 }
/**
 * Time limit of a request of the test itself, in milliseconds. It is longer than those of the product, because on a busy
 * machine a request may take ten times as long. Requests through the gateway have the limits of the product.
 */
export const PATIENT_REQUEST_MS = 60_000

export interface Cluster {
  /** Origin of the gateway, if it is one of the apps. */
  readonly origin: string
  readonly env: Readonly<Record<string, string>>
  readonly nats: TestNats
  readonly host: Host
  /** Calls an operation as anonymous or as a viewer. */
  call<Op extends AnyOperation>(
    operation: Op,
    input: InputOf<Op>,
    as?: Partial<Caller> | Viewer | null,
    more?: AskedWith,
  ): Promise<OutputOf<Op>>
  /** Like `call`, but also returns status, headers and cursors. A refusal is returned instead of thrown. */
  request<Op extends AnyOperation>(
    operation: Op,
    input: InputOf<Op>,
    as?: Partial<Caller> | Viewer | null,
    more?: AskedWith,
  ): Promise<RpcResponse>
  /** A new grant, which proves an open stream of this account. It differs from a grant of an earlier minute. */
  grant(account: string): string
  /** True if the product accepts this grant as proof that the account has an open stream. */
  allows(account: string, grant: string): boolean
  /** Database connection with the login of a service. */
  db(service: string): Database
  /**
   * Runs statements over thousands of rows as the owner of the tables, for example `insert` and `analyze`, in one
   * transaction. Triggers do not run and foreign keys are not checked, because both take far longer than the insertion.
   */
  fillTables(service: string, ...statements: readonly Sql[]): Promise<void>
  /** Resolves when all outboxes are empty, all messages are acknowledged, and all cache invalidation messages are processed. */
  waitForIdle(timeoutMs?: number): Promise<void>
  queues(): Promise<QueueState[]>
  /** Bus connection with the permissions of the operator, who may call every operation. */
  operator(): NatsConnection
  /** Bus connection that may use the whole JetStream API, such as the deletion of a stream. */
  observer(): NatsConnection
  /** Starts the services again after `host.stop()`, with the same database and streams. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const running = new Set<Cluster>()

/**
 * Stops the clusters that are still running. They would use the processor during all later files of the worker, and
 * appear in the metrics of the process.
 */
export const stopLeftClusters = async (): Promise<void> => {
  await Promise.all([...running].map((cluster) => cluster.stop()))
}

/** A viewer for calls that do not pass the gateway. */
export const viewer = (id: string, more: Partial<Viewer> = {}): Viewer => ({
  id,
  userId: id,
  permissions: 0,
  position: -1,
  locale: 'en',
  ...more,
})

const callerOf = (as: Partial<Caller> | Viewer | null): Caller | null => {
  if (as === null) return null
  if ('userId' in as)
    return {
      viewer: as,
      app: { id: '1', tokenId: as.id, scopes: ['read', 'write', 'follow', 'push'] },
      ip: '127.0.0.1',
      userAgent: 'test',
    }
  return { viewer: null, app: null, ip: '127.0.0.1', userAgent: 'test', ...as }
}

/**
 * Starts services with a real database, NATS and Redis. Needs DATABASE_URL and REDIS_URL, which `npm test` or
 * `bin/dev-env.mjs` set.
 */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const adminUrl = process.env.DATABASE_URL
  if (!adminUrl) throw new Error('DATABASE_URL is not set: run through npm test, or bin/dev-env.mjs -- <command>')
  const name = `t_${randomBytes(6).toString('hex')}`
  const secretKeyBase = randomBytes(32).toString('base64url')
  const owners = options.apps.filter((app) => app.manifest.database)
  const databaseUrl = await createMigratedDatabase(
    adminUrl,
    name,
    (url, service) => databaseRoleOf({ secretKeyBase, databaseUrl: url }, service),
    owners.map((app) => app.manifest.service),
  )
  const bus = await startBus(options.apps, secretKeyBase)
  const { nats, operator } = bus
  const port = Number(options.env?.PORT) || (await freePort())
  const env: Record<string, string> = {
    MODE: 'test',
    SECRET_KEY_BASE: secretKeyBase,
    DATABASE_URL: databaseUrl,
    DB_POOL: '2',
    // This timeout is longer than its default, because bursts of requests wait longer for a connection on a machine
    // that runs other tests.
    DB_POOL_TIMEOUT: '10000',
    NATS_URL: nats.url,
    NATS_USERS: 'derived',
    NATS_STREAM_BYTES: '268435456',
    REDIS_URL: testRedisUrl(),
    LOCAL_DOMAIN: `localhost:${port}`,
    PORT: String(port),
    BIND: '127.0.0.1',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    RATE_LIMITS: 'off',
    // The gateway does not wait at its start for services that it calls, because most tests do not run all these
    // services.
    EDGE_WAIT_SECONDS: '0',
    BATCH_PAUSES: 'false',
    BLOB_DIR: join(repository(), '.data', 'test-blob', name),
    MAIL_DIR: join(repository(), '.data', 'test-mail', name),
    ...options.env,
  }
  if (lacksPolicy(options.apps)) await writeEmptyPolicy(bus.observer)
  const start = async () => {
    const started = await startHost(
      options.apps.map((app) => ({ app })),
      { ...process.env, ...env },
    )
    await waitForPolicy(started, options.apps)
    return started
  }
  let host = await start()
  const idle = await createIdleCheck({
    databaseUrl,
    apps: options.apps,
    observer: bus.observer,
  })
  /**
   * Waits until every service has received the core NATS messages that were sent before, such as cache invalidation
   * messages.
   */
  const exchangeMessages = async () => {
    const connections = host.running.map(({ ctx }) => ctx.nc).filter((nc) => !nc.isClosed())
    await Promise.all(connections.map((nc) => nc.flush()))
    await Promise.all(connections.map((nc) => nc.flush()))
  }
  const sendRequest = createSendRequest(operator)
  const databases = new Map<string, Database>()
  const streamGrants = createStreamGrants({ common: { secretKeyBase }, clock: Date })

  const cluster: Cluster = {
    origin: `http://localhost:${port}`,
    env,
    nats,
    get host() {
      return host
    },
    request: (operation, input, as = null, more = {}) =>
      sendRequest(operation, JSON.stringify(operation.input.parse(input)), {
        remainingMs: PATIENT_REQUEST_MS,
        caller: callerOf(as),
        requestId: more.requestId ?? randomUUID(),
        commandId: null,
        idempotencyKey: more.idempotencyKey ?? null,
        locale: more.locale ?? 'en',
        traceparent: '',
      }),
    async call(operation, input, as, more) {
      return decodeResponse(operation, await cluster.request(operation, input, as, more)) as never
    },
    grant: (account) => streamGrants.issue(account),
    allows: (account, grant) => streamGrants.allows(account, grant),
    db(service) {
      const known = databases.get(service)
      if (known) return known
      const url = new URL(databaseUrl)
      const role = databaseRoleOf({ secretKeyBase, databaseUrl }, service)
      url.username = role.name
      url.password = role.password
      const opened = openDatabase({ url: url.toString(), schema: service, connections: 2, ...PATIENT })
      databases.set(service, opened)
      return opened
    },
    async fillTables(service, ...statements) {
      const owner = openDatabase({ url: databaseUrl, schema: service, connections: 1, statementTimeoutMs: 300_000 })
      try {
        await owner.tx(async (tx) => {
          await tx.run(sql`set local session_replication_role = replica`)
          for (const statement of statements) await tx.run(statement)
        })
      } finally {
        await owner.close()
      }
    },
    operator: () => operator,
    observer: () => bus.observer,
    queues: () =>
      Promise.all(
        owners.map(async ({ manifest: { service } }) => {
          const reply = await operator.request(`rpc.${service}.ops.queues`, '{}', { timeout: 20_000 })
          return reply.json<QueueState>()
        }),
      ),
    async waitForIdle(timeoutMs = 300_000) {
      await waitUntilIdle(idle, timeoutMs)
      await exchangeMessages().catch(() => undefined)
    },
    async restart() {
      host = await start()
    },
    async stop() {
      running.delete(cluster)
      await host.stop()
      await Promise.all([...databases.values(), idle].map((one) => one.close()))
      await bus.close()
      await dropDatabase(adminUrl, name)
    },
  }
  running.add(cluster)
  return cluster
}
