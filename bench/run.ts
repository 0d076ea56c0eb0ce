/** `npm run bench [-- NAME …]`: each scenario beside its physical limit in the same run; prints the table and keeps it in bench/results. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProduct } from '@murmuration/testkit'
import { loadAll } from '../bin/services.js'
import { createPeople } from './lib/people.js'
import { judge, type Row, type Scenario, table } from './lib/scenario.js'
import { SCENARIOS } from './scenarios/index.js'

const wanted = process.argv.slice(2)
const chosen: Scenario[] = wanted.length ? SCENARIOS.filter((one) => wanted.includes(one.name)) : [...SCENARIOS]
if (chosen.length === 0) {
  process.stderr.write(`There is no such scenario; there are ${SCENARIOS.map((one) => one.name).join(', ')}.\n`)
  process.exit(1)
}

/** Everything ends after this long, whatever hangs. */
const LIMIT_MS = 600_000
setTimeout(() => {
  process.stderr.write('ten minutes are over\n')
  process.exit(1)
}, LIMIT_MS).unref()

const pidOf = (pattern: string): number => {
  const out = execFileSync('pgrep', ['-o', '-f', pattern], { encoding: 'utf8' })
  return Number(out.trim().split('\n')[0])
}
const portOf = (url: string | undefined): string => new URL(url ?? '').port

const rows: Row[] = []
for (const scenario of chosen) {
  process.stdout.write(`${scenario.name}: ${scenario.about}\n`)
  const product = await startProduct({
    apps: await loadAll(),
    table: {
      edge: ['gateway', 'streaming'],
      core: ['accounts', 'statuses', 'notifications', 'admin'],
      work: ['federation', 'media'],
    },
    env: { MODE: 'production', HEALTH_HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: 'production', ...scenario.env },
  })
  const people = createPeople(product)
  try {
    await product.ready()
    const outcome = await scenario.run({
      product,
      people,
      seconds: 3,
      backing: {
        pg: pidOf(`postgres.*-p ${portOf(process.env.DATABASE_URL)}`),
        redis: pidOf(`redis-server.*:${portOf(process.env.REDIS_URL)}`),
        nats: product.nats.pid,
      },
      pid: (name) => product.processes.get(name)?.pid ?? 0,
    })
    rows.push(judge(scenario, outcome))
    process.stdout.write(`${table(rows.slice(-1)).split('\n').at(-1)}\n`)
  } catch (error) {
    process.stderr.write(`${scenario.name} failed: ${(error as Error).stack}\n`)
    process.exitCode = 1
  } finally {
    await people.close()
    await product.stop()
  }
}
const root = fileURLToPath(new URL('..', import.meta.url))
const text = `${table(rows)}\n`
process.stdout.write(`\n${text}`)
const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model,
  node: process.version,
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
}
const day = new Date().toISOString().slice(0, 10)
writeFileSync(
  join(root, 'bench/results', `${day}${wanted.length ? `-${wanted.join('-')}` : ''}.json`),
  `${JSON.stringify({ machine, rows }, null, 2)}\n`,
)
if (!wanted.length)
  writeFileSync(
    join(root, 'bench/results/latest.md'),
    `Measured on ${machine.cpus} × ${machine.model}, Node ${machine.node}, ${day}.\n\n${text}`,
  )
process.exit()
