/**
 * `npm test [-- FILTER …] [--only guards|unit|service|slow|e2e|containers|browser]`: checks of the source, and tests on PostgreSQL, NATS and
 * Redis of their own, with logs below .data/test and data in memory if enough is free. With a filter, only the test files whose path
 * contains it.
 *
 * The checks run first. Then two groups run side by side: the unit and service tests, which report while they run, and the
 * tests that mostly wait (the others), whose output is printed when they end.
 * The end names each failure with its error, and each tool that is missing with the number of tests that need it; the
 * last line is `N passed, N failed`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBacking } from './lib/backing.mjs'
import { bootstrap, sourceArgv } from './lib/bootstrap.mjs'
import { interruption } from './lib/interruption.mjs'
import { root } from './lib/machine.mjs'
import { hasSource } from './lib/product.mjs'
import { explain, refusal, say } from './lib/say.mjs'
import { runStage } from './lib/stage.mjs'
import { tally } from './lib/tally.mjs'
import { findTool, TOOLS } from './lib/tools.mjs'

const kinds = ['guards', 'unit', 'service', 'slow', 'e2e', 'containers', 'browser']
/** Kinds that need PostgreSQL, NATS and Redis. */
const onStores = ['service', 'slow', 'e2e', 'containers', 'browser']
const dataDir = join(root, '.data/test')
const total = { passed: 0, failed: 0 }
const failures = []
/** Tool → number of tests that did not run without it. */
const notRun = {}

async function test() {
  const { only, filters } = options()
  const node = bootstrap()
  const { signal, stop } = interruption()
  const wanted = (kind) => (only ? only === kind : kind !== 'guards' || !filters.length)
  // It starts beside the guard rails; a failure is told when the first stage needs it.
  const needsBacking = onStores.some(wanted)
  const onLost = (sentence) => stop(refusal(sentence))
  const backing = needsBacking ? startBacking({ dir: dataDir, fresh: true, lasting: false, signal, onLost }) : null
  backing?.catch(() => {})
  try {
    mkdirSync(dataDir, { recursive: true })
    const { env: addresses, memory } = (await backing) ?? {}
    const env = { TEST: '1', MODE: 'test', ...addresses, ...(memory && { TEST_MEMORY: memory }) }
    const group = (name, projects, how) =>
      projects.some(wanted) && tests({ node, name, projects: projects.filter(wanted), filters, env, signal, ...how })
    if (wanted('guards')) await guards(node, signal)
    signal.throwIfAborted()
    await Promise.all([
      group('unit and service tests', ['unit', 'service'], { workers: 3, firstRedis: 1 }),
      group('slow and end-to-end tests', ['slow', 'e2e', 'containers', 'browser'], {
        workers: 3,
        firstRedis: 8,
        printAtEnd: true,
      }),
    ])
    signal.throwIfAborted()
  } finally {
    await (await backing?.catch(() => null))?.stop()
  }
  if (total.passed + total.failed === 0) throw refusal(`No test file matches ${filters.join(' ')}.`)
}

function options() {
  try {
    const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
    if (values.only && !kinds.includes(values.only)) throw new Error(`--only takes one of ${kinds.join(', ')}`)
    return { only: values.only, filters: positionals }
  } catch (error) {
    throw refusal(`${error.message}\nUsage: npm test -- [FILTER …] [--only ${kinds.join('|')}]`)
  }
}

/** Each check counts as one test. */
async function guards(node, signal) {
  const bin = (name) => join(root, 'node_modules/.bin', name)
  const stages = [
    ['format and lint', [node, bin('biome'), 'check', '.']],
    ['types', [node, bin('tsc'), '-p', 'tsconfig.json']],
    ...(hasSource('bin/check.ts') ? [['architecture rules', sourceArgv(node, 'bin/check.ts')]] : []),
  ]
  for (const [name, argv] of stages) {
    signal.throwIfAborted()
    const code = await runStage({ name, argv, signal })
    total[code === 0 ? 'passed' : 'failed'] += 1
    if (code !== 0) failures.push(`The check "${name}" failed.`)
  }
}

async function tests({ node, name, projects, filters, env, signal, workers, firstRedis, printAtEnd = false }) {
  const report = join(dataDir, `report-${projects.join('-')}.json`)
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const argv = [
    node,
    vitest,
    'run',
    `--maxWorkers=${workers}`,
    ...projects.flatMap((one) => ['--project', one]),
    ...reporters,
    ...filters,
  ]
  const outputFile = printAtEnd ? join(dataDir, `${projects.join('-')}.log`) : null
  const counted = tally(
    report,
    await runStage({ name, argv, env: { ...env, TEST_REDIS_FIRST: String(firstRedis) }, signal, outputFile }),
  )
  total.passed += counted.passed
  total.failed += counted.failed
  failures.push(...counted.failures)
  for (const [tool, count] of Object.entries(counted.notRun)) notRun[tool] = (notRun[tool] ?? 0) + count
}

async function explainNotRun() {
  for (const [tool, count] of Object.entries(notRun)) {
    const { missing = 'it has appeared since' } = await findTool(tool)
    const advice = `as root, "node bin/tools.mjs --install ${tool}" provides it`
    console.log(`not run: ${count} tests need ${TOOLS[tool].title} (${missing}; ${advice})`)
  }
}

let interrupted = false
try {
  await test()
} catch (error) {
  interrupted = error.name === 'AbortError'
  if (!interrupted) {
    total.failed += 1
    failures.push(explain(error))
  }
}
for (const failure of failures) console.error(`\nFAILED ${failure}`)
await explainNotRun()
say(interrupted ? 'interrupted' : 'done')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(interrupted ? 130 : total.failed ? 1 : 0)
