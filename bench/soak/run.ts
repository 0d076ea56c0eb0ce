/**
 * `npm run soak [-- --minutes N]`: people here and on six other servers write, like, follow and delete while hostile activities
 * come in, two servers do not answer and a process is killed every twenty seconds. In the end everything must be as the
 * oracle wrote it down. Prints a line every half minute and a verdict.
 */
import { parseArgs } from 'node:util'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { chooseDeed, introduce, pick, type Scene } from './deeds.js'
import { createOracle } from './oracle.js'
import { judge } from './verdict.js'
import { KILLED, pause, startWorld } from './world.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= 600)) throw new Error('--minutes is a number up to 600')

/** Deeds at the same time, and how long each hand rests between two. */
const HANDS = 3
const REST_MS = 750
const KILL_MS = 20_000
const TELL_MS = 30_000
const CALM_MS = 300_000

const say = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
const problems: string[] = []

say('starting')
const world = await startWorld()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    say('interrupted')
    world.stop().finally(() => process.exit(130))
  })
const scene: Scene = {
  ...world,
  oracle: createOracle(world.people.map((one) => one.name)),
  ids: new Map(),
  given: new Map(),
}
const { oracle, product } = scene
await introduce(scene)
await product.settle(120_000)
scene.sleeping.server.behave({ kind: 'hang' }, { method: 'POST' })
scene.dead.server.behave({ kind: 'status', status: 500 }, { method: 'POST' })
say(`${minutes} minutes begin`)

const end = Date.now() + minutes * 60_000
const busy = new Set<string>()
const hand = async (): Promise<void> => {
  for (; Date.now() < end; await pause(REST_MS * (0.5 + Math.random()))) {
    const deed = chooseDeed(scene)
    if (deed === null || busy.has(deed.key)) continue
    busy.add(deed.key)
    await deed.act().then(
      () => oracle.count(deed.name),
      (error: Error) => problems.push(`${deed.name}: ${error.message}`),
    )
    busy.delete(deed.key)
  }
}
const killer = async (): Promise<void> => {
  for (let n = 0; ; n++) {
    await pause(KILL_MS)
    if (Date.now() > end - KILL_MS) return
    const name = KILLED[n % KILLED.length] ?? 'spread'
    await product.processes.get(name)?.kill()
    oracle.count(`killed ${name}`)
  }
}
const teller = async (): Promise<void> => {
  for (; Date.now() < end; await pause(Math.min(TELL_MS, Math.max(0, end - Date.now()) + 1)))
    say(`${[...oracle.counts].map(([what, n]) => `${what} ${n}`).join(', ')}; ${problems.length} problems`)
}
await Promise.all([...Array.from({ length: HANDS }, hand), killer(), teller()])

say('traffic ended; the sleeping server wakes')
await product.ready(120_000)
scene.sleeping.server.heal()
const open = [...oracle.ours.values()].filter((one) => !one.deleted && one.visibility !== 'private')
const { steady, send } = scene.sleeping
const last = pick(open)
await send(steady, makeActivity(steady, 'Like', last.uri))
last.likes.add(steady.id)

/** Nothing waits anywhere but for the dead server, and the oracle agrees. */
let wrong: string[] = ['it never came to rest']
for (const until = Date.now() + CALM_MS; Date.now() < until && wrong.length > 0; await pause(5_000)) {
  await product.settle(120_000).catch((error: Error) => say(error.message))
  wrong = await judge(scene).catch((error: Error) => [error.message])
  if (wrong.length > 0) say(`not yet: ${wrong.length} differences, such as ${wrong[0]}`)
}
const all = [...problems, ...wrong]
say([...oracle.counts].map(([what, n]) => `${what} ${n}`).join(', '))
const { homes, ledger, arrived } = oracle.compared
say(`compared ${homes} entries of home timelines, ${ledger} rows of the ledger, ${arrived} arrivals elsewhere`)
for (const one of all.slice(0, 50)) say(`WRONG ${one}`)
say(all.length === 0 ? 'VERDICT: everything is as the oracle says' : `VERDICT: ${all.length} differences`)
await world.stop()
process.exit(all.length === 0 ? 0 : 1)
