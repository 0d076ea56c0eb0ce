/** Runs the product as separate processes, like `npm start`. Tests can kill and restart them, and set fault points. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type App, createSendRequest, databaseRoleOf, decodeResponse, type QueueState } from '@murmuration/kernel'
import { startBus } from './bus.js'
import type { InputOf, OutputOf } from './cluster.js'
import { createMigratedDatabase, dropDatabase, repository } from './databases.js'
import { createIdleCheck, waitUntilIdle } from './idle.js'
import { freePort, type TestNats } from './nats-server.js'
import { testRedisUrl } from './redis-database.js'
import { programFile, SOURCE_ARGS } from './source-args.js'

export interface ProcessOptions {
  /** All apps. The bus permissions and database schemas depend on their manifests. */
  apps: readonly App[]
  /** Arguments of `serve` by process name: `{ edge: ['gateway', 'streaming'], core: ['accounts', 'statuses:api,reactor'] }`. */
  table: Record<string, readonly string[]>
  env?: Record<string, string>
  /** Environment variables by process name for the first start only, such as FAULT_POINTS. */
  first?: Record<string, Record<string, string>>
  /** True starts a process again when it ended, as Kubernetes does. */
  revive?: boolean
  /**
   * Number of the Redis database. Needed if one test file runs the product several times; the default is the number of
   * the test worker.
   */
  redisDatabase?: number
}

export interface ProductProcess {
  readonly name: string
  readonly pid: number
  readonly healthPort: number
  /** Number of times that the process was started. */
  readonly starts: number
  kill(signal?: NodeJS.Signals): Promise<void>
}

export interface Product {
  readonly origin: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly nats: TestNats
  readonly databaseUrl: string
  readonly processes: ReadonlyMap<string, ProductProcess>
  /** Runs `bin/ctl … --json` on this product, and returns its output. */
  ctl(...words: string[]): Promise<Record<string, unknown>>
  /** Calls an operation over the bus as the operator, like `bin/ctl`, without starting a process. */
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>>
  ready(timeoutMs?: number): Promise<void>
  /** Ends a process and starts it again. The environment variables apply to this start only. */
  restart(name: string, env?: Record<string, string>, signal?: NodeJS.Signals): Promise<void>
  queues(): Promise<QueueState[]>
  waitForIdle(timeoutMs?: number): Promise<void>
  stop(): Promise<void>
}

const run = (command: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command[0] ?? '', command.slice(1), { env, cwd })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      err += String(chunk)
    })
    child.once('close', (code) => (code === 0 ? resolve(out) : reject(new Error(err.trim() || `ended with ${code}`))))
  })

const nodeArgs = (program: string, ...words: string[]): string[] => [
  process.execPath,
  ...SOURCE_ARGS,
  '--import',
  new URL('./rsa-keys.ts', import.meta.url).href,
  program,
  ...words,
]

/**
 * Starts the product as separate processes, with a database and a NATS server of its own. Resolves when all processes are
 * ready.
 */
export const startProduct = async (options: ProcessOptions): Promise<Product> => {
  const adminUrl = process.env.DATABASE_URL
  if (!adminUrl) throw new Error('DATABASE_URL is not set: run through npm test, or bin/dev-env.mjs -- <command>')
  const root = repository()
  const name = `t_${randomBytes(6).toString('hex')}`
  const secretKeyBase = randomBytes(32).toString('base64url')
  const databaseUrl = await createMigratedDatabase(adminUrl, name, (url, service) =>
    databaseRoleOf({ secretKeyBase, databaseUrl: url }, service),
  )
  const owners = options.apps.filter((app) => app.manifest.database).map((app) => app.manifest.service)
  const bus = await startBus(options.apps, secretKeyBase)
  const { nats, operator } = bus
  const port = Number(options.env?.PORT ?? (await freePort()))
  const dir = join(root, '.data', 'test-product', name)
  mkdirSync(dir, { recursive: true })
  const vapid = await import('node:crypto').then(({ generateKeyPairSync }) =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  )
  const env: Record<string, string> = {
    MODE: 'test',
    SECRET_KEY_BASE: secretKeyBase,
    DATABASE_URL: databaseUrl,
    DB_POOL: '6',
    // This timeout is long, because a new database connection can take seconds on a busy machine.
    DB_POOL_TIMEOUT: '10000',
    NATS_URL: nats.url,
    NATS_USERS: 'derived',
    NATS_STREAM_BYTES: '268435456',
    REDIS_URL: testRedisUrl(options.redisDatabase),
    LOCAL_DOMAIN: `localhost:${port}`,
    PORT: String(port),
    RATE_LIMITS: 'off',
    EDGE_WAIT_SECONDS: '0',
    LOG_LEVEL: 'info',
    BLOB_DIR: join(dir, 'blob'),
    MAIL_DIR: join(dir, 'mail'),
    VAPID_PUBLIC_KEY: Buffer.concat([
      Buffer.from([4]),
      Buffer.from(vapid.x ?? '', 'base64url'),
      Buffer.from(vapid.y ?? '', 'base64url'),
    ]).toString('base64url'),
    VAPID_PRIVATE_KEY: vapid.d ?? '',
    ...options.env,
  }
  const processes = new Map<string, ProductProcess & { child: ChildProcess }>()
  let stopping = false

  const planned = new Map<string, Record<string, string>>(Object.entries(options.first ?? {}))
  const start = async (process_: string, healthPort: number, starts: number): Promise<void> => {
    const own = planned.get(process_) ?? {}
    planned.delete(process_)
    const [file = '', ...args] = nodeArgs(programFile('serve'), ...(options.table[process_] ?? []))
    const child = spawn(file, args, {
      cwd: root,
      env: {
        ...process.env,
        ...env,
        HEALTH_PORT: String(healthPort),
        ...own,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log = createWriteStream(join(dir, `${process_}.log`), { flags: 'a' })
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    processes.set(process_, {
      name: process_,
      pid: child.pid ?? 0,
      healthPort,
      starts,
      child,
      async kill(signal = 'SIGKILL') {
        if (child.exitCode === null && child.signalCode === null) child.kill(signal)
        await gone
      },
    })
    gone.then(() => {
      if (!stopping && (options.revive || planned.has(process_)))
        start(process_, healthPort, starts + 1).catch(() => undefined)
    })
  }
  for (const process_ of Object.keys(options.table)) await start(process_, await freePort(), 1)

  const idle = await createIdleCheck({ databaseUrl, apps: options.apps, observer: bus.observer })
  const sendRequest = createSendRequest(operator)
  const product: Product = {
    origin: `http://localhost:${port}`,
    port,
    env,
    nats,
    databaseUrl,
    processes,
    async ctl(...words) {
      return JSON.parse(
        await run(nodeArgs(programFile('ctl'), ...words, '--json'), { ...process.env, ...env }, root),
      ) as Record<string, unknown>
    },
    async call(operation, input) {
      const response = await sendRequest(operation, JSON.stringify(operation.input.parse(input)), {
        remainingMs: 30_000,
        caller: null,
        requestId: randomUUID(),
        commandId: null,
        idempotencyKey: null,
        locale: 'en',
        traceparent: '',
      })
      return decodeResponse(operation, response) as never
    },
    async ready(timeoutMs = 550_000) {
      const end = Date.now() + timeoutMs
      const isReady = async (one: ProductProcess) =>
        (await fetch(`http://127.0.0.1:${one.healthPort}/readyz`).catch(() => null))?.status === 200
      for (;;) {
        const states = await Promise.all([...processes.values()].map(isReady))
        if (states.every(Boolean)) return
        if (Date.now() > end)
          throw new Error(
            `not ready after ${timeoutMs} ms: ${[...processes.keys()].filter((_, i) => !states[i]).join(', ')}; logs in ${dir}`,
          )
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    async restart(process_, env = {}, signal = 'SIGKILL') {
      const old = processes.get(process_)
      planned.set(process_, env)
      await old?.kill(signal)
      while (processes.get(process_) === old) await new Promise((resolve) => setTimeout(resolve, 10))
      await product.ready()
    },
    queues: () =>
      Promise.all(
        owners.map(async (service) => {
          const reply = await operator.request(`rpc.${service}.ops.queues`, '{}', { timeout: 5_000 })
          return reply.json<QueueState>()
        }),
      ),
    async waitForIdle(timeoutMs = 550_000) {
      await waitUntilIdle(idle, timeoutMs)
    },
    async stop() {
      stopping = true
      await Promise.all([...processes.values()].map((one) => one.kill('SIGTERM')))
      await idle.close()
      await bus.close()
      await dropDatabase(adminUrl, name)
    },
  }
  return product
}
