/** `npm run bench [-- NAME … --scale=0.1]`: measures each scenario and its physical limit. Prints the table and writes it to bench/results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keyspace } from '@murmuration/cache'
import { PRESENT_SINCE, presentKey } from '@murmuration/contracts/streaming'
import { startProduct } from '@murmuration/testkit'
import pg from 'pg'
import { createClient } from 'redis'
import { loadAll } from '../bin/services.js'
import { type Bench, evaluate, type Row, type Scenario, SERVICES } from './lib/scenario.js'
import { breakdownOf, lineOf, tableOf } from './lib/table.js'
import { createUsers } from './lib/users.js'
import { SCENARIOS } from './scenarios/index.js'

/** Maximum milliseconds of all scenarios together. The process then ends, even if a scenario hangs. */
const LIMIT_MS = 1_500_000
/** The processes of `npm start`. */
const PROCESSES = {
  edge: ['gateway', 'streaming'],
  core: SERVICES.slice(0, 4),
  work: SERVICES.slice(4),
}

setTimeout(() => {
  process.stderr.write('the time limit of 25 minutes is over\n')
  process.exit(1)
}, LIMIT_MS).unref()

const given = parseArgs({ allowPositionals: true, options: { scale: { type: 'string', default: '1' } } })
const wanted = given.positionals
const scale = Number(given.values.scale)
const chosen: readonly Scenario[] = wanted.length ? SCENARIOS.filter((one) => wanted.includes(one.name)) : SCENARIOS
const unknown = wanted.filter((name) => !SCENARIOS.some((one) => one.name === name))
if (unknown.length) {
  const known = SCENARIOS.map((one) => one.name).join(', ')
  process.stderr.write(`Unknown scenario ${unknown.join(', ')}. Scenarios: ${known}.\n`)
  process.exit(1)
}

const backing = JSON.parse(process.env.BENCH_PIDS ?? '{}') as { postgresql: number; redis: number }
const apps = await loadAll()

const emptyRedis = async (): Promise<void> => {
  const redis = createClient({ url: process.env.REDIS_URL ?? '' })
  await redis.connect()
  await redis.flushAll()
  await redis.close()
}

/**
 * Writes that the list of connected accounts has been complete for a day. Without this, fan-out sends every status to all followers
 * for 15 s, as after a loss of Redis.
 */
const completePresence = async (redisUrl: string): Promise<void> => {
  const redis = createClient({ url: redisUrl })
  await redis.connect()
  const present = keyspace(presentKey.owner)(presentKey.name)
  await redis.zAdd(present, { score: -(Date.now() - 86_400_000), value: PRESENT_SINCE })
  await redis.close()
}

/** Updates the statistics of the database. Autovacuum does not analyze tables as small as these. */
const analyze = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

const runOne = async (scenario: Scenario): Promise<Row> => {
  const closers: (() => Promise<unknown>)[] = []
  const bench: Bench = {
    backing: { pg: backing.postgresql, redis: backing.redis },
    scale,
    async start({ table = PROCESSES, env = {}, first = {} } = {}) {
      await emptyRedis()
      const common = { MODE: 'production', HEALTH_HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: 'production' }
      const product = await startProduct({ apps, table, env: { ...common, ...env }, first })
      closers.push(product.stop)
      const users = createUsers(product)
      closers.push(users.close)
      await product.ready()
      await completePresence(product.env.REDIS_URL ?? '')
      const path = () => ({
        ...Object.fromEntries([...product.processes].map(([name, one]) => [name, one.pid])),
        nats: product.nats.pid,
        postgres: backing.postgresql,
        redis: backing.redis,
      })
      return { product, users, path, analyze: () => analyze(product.databaseUrl) }
    },
  }
  try {
    return evaluate(scenario, await scenario.run(bench))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const rows: Row[] = []
for (const scenario of chosen) {
  process.stdout.write(`${scenario.name}: ${scenario.about} (limit: ${scenario.limitIs})\n`)
  try {
    const row = await runOne(scenario)
    rows.push(row)
    process.stdout.write(`${lineOf(row)}\n  CPU µs by process: ${breakdownOf(row)}\n`)
  } catch (error) {
    process.stderr.write(`${scenario.name} failed: ${(error as Error).stack}\n`)
    process.exitCode = 1
  }
}

const root = fileURLToPath(new URL('..', import.meta.url))
const measured = rows.filter((row) => row.target.kind !== 'memory')
const text = `${tableOf(rows)}\n\nCPU µs of one operation by process:\n\n${measured.map((row) => `- ${breakdownOf(row)}`).join('\n')}\n`
process.stdout.write(`\n${text}`)
const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model,
  node: process.version,
  scale,
  load: Number(loadavg()[1]?.toFixed(1)),
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
}
const results = join(root, 'bench/results')
const day = new Date().toISOString().slice(0, 10)
const file = `${day}${wanted.length ? `-${wanted.join('-')}` : ''}.json`
writeFileSync(join(results, file), `${JSON.stringify({ machine, rows }, null, 2)}\n`)
if (wanted.length === 0) {
  const about = `Measured on ${machine.cpus} × ${machine.model}, Node ${machine.node}, ${day}; load average of the last five minutes ${machine.load}.`
  writeFileSync(join(results, 'latest.md'), `${about}\n\n${text}`)
}
process.exit()
