/**
 * `npm run soak [-- --minutes N]`: users here and on six other servers write, like, follow and delete, and hostile activities are
 * received. Two servers do not respond, and a process is killed every 20 s. At the end the state must equal that of the
 * oracle. Prints a line every 30 s, and the differences at the end.
 */
import { parseArgs } from 'node:util'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { chooseAction, introduce, pick, type Soak } from './actions.js'
import { findDifferences } from './differences.js'
import { createOracle } from './oracle.js'
import { KILLED, pause, startSetup } from './setup.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= 600)) throw new Error('--minutes is a number up to 600')

/** Number of actions at the same time. */
const WORKERS = 3
/** Average pause of a worker between two actions. */
const PAUSE_MS = 750
const KILL_MS = 20_000
const REPORT_MS = 30_000
const IDLE_LIMIT_MS = 300_000

const print = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
const problems: string[] = []

print('starting')
const setup = await startSetup()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    print('interrupted')
    setup.stop().finally(() => process.exit(130))
  })
const soak: Soak = {
  ...setup,
  oracle: createOracle(setup.users.map((one) => one.name)),
  ids: new Map(),
  sent: new Map(),
}
const { oracle, product } = soak
await introduce(soak)
await product.waitForIdle(120_000)
soak.hanging.server.behave({ kind: 'hang' }, { method: 'POST' })
soak.dead.server.behave({ kind: 'status', status: 500 }, { method: 'POST' })
print(`${minutes} minutes begin`)

const end = Date.now() + minutes * 60_000
const busy = new Set<string>()
const worker = async (): Promise<void> => {
  for (; Date.now() < end; await pause(PAUSE_MS * (0.5 + Math.random()))) {
    const action = chooseAction(soak)
    if (action === null || busy.has(action.key)) continue
    busy.add(action.key)
    await action.act().then(
      () => oracle.count(action.name),
      (error: Error) => problems.push(`${action.name}: ${error.message}`),
    )
    busy.delete(action.key)
  }
}
const killer = async (): Promise<void> => {
  for (let n = 0; ; n++) {
    await pause(KILL_MS)
    if (Date.now() > end - KILL_MS) return
    const name = KILLED[n % KILLED.length] ?? 'fanout'
    await product.processes.get(name)?.kill()
    oracle.count(`killed ${name}`)
  }
}
const reporter = async (): Promise<void> => {
  for (; Date.now() < end; await pause(Math.min(REPORT_MS, Math.max(0, end - Date.now()) + 1)))
    print(`${[...oracle.counts].map(([what, n]) => `${what} ${n}`).join(', ')}; ${problems.length} problems`)
}
await Promise.all([...Array.from({ length: WORKERS }, worker), killer(), reporter()])

print('traffic ended; the hanging server responds again')
await product.ready(120_000)
soak.hanging.server.repair()
const open = [...oracle.ours.values()].filter((one) => !one.deleted && one.visibility !== 'private')
const { steady, send } = soak.hanging
const last = pick(open)
await send(steady, makeActivity(steady, 'Like', last.uri))
last.likes.add(steady.id)

// Compares until no difference is left. Only deliveries to the dead server may still wait.
let wrong: string[] = ['the servers did not become idle']
for (const until = Date.now() + IDLE_LIMIT_MS; Date.now() < until && wrong.length > 0; await pause(5_000)) {
  await product.waitForIdle(120_000).catch((error: Error) => print(error.message))
  wrong = await findDifferences(soak).catch((error: Error) => [error.message])
  if (wrong.length > 0) print(`not yet: ${wrong.length} differences, such as ${wrong[0]}`)
}
const all = [...problems, ...wrong]
print([...oracle.counts].map(([what, n]) => `${what} ${n}`).join(', '))
const { homes, deliveries, arrived } = oracle.compared
print(`compared ${homes} entries of home timelines, ${deliveries} rows of deliveries, ${arrived} received activities`)
for (const one of all.slice(0, 50)) print(`WRONG ${one}`)
print(all.length === 0 ? 'VERDICT: no differences' : `VERDICT: ${all.length} differences`)
await setup.stop()
process.exit(all.length === 0 ? 0 : 1)
