/**
 * `npm test [-- FILTER …] [--all] [--only KIND]`: checks the sources, and runs tests with their own PostgreSQL, NATS and Redis. Logs are
 * below .data/test, and data is in memory if enough is free. With a filter, it runs only test files whose path contains the filter.
 *
 * Without `--all`, the kinds `failure`, `containers` and `browser` are left out, because they wait for real time or
 * build images. `.ci/run` also runs these three kinds.
 *
 * The checks and several groups of tests run at the same time. The group of unit and service tests reports while it
 * runs. The output of each other group is printed at its end. Further groups wait in a queue. Whenever a group has
 * ended, the next group of the queue starts.
 * A complete run repeats failed tests once, if they are few, when nothing else uses the processor. Tests that pass then
 * count as passed. The end of the output names each of these tests with its first error, because each is a fault to
 * correct, of the test or of the product.
 *
 * At the end it prints each failure with its error, each missing tool with the number of tests that need it, and the kinds that
 * were left out. The last line is `N passed, N failed`.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBacking } from './lib/backing.mjs'
import { bootstrap, sourceArgv } from './lib/bootstrap.mjs'
import { bundlePrograms } from './lib/bundle.mjs'
import { interruption } from './lib/interruption.mjs'
import { root } from './lib/machine.mjs'
import { hasSource } from './lib/product.mjs'
import { explain, refusal, say } from './lib/say.mjs'
import { runStage } from './lib/stage.mjs'
import { passedNames, tally } from './lib/tally.mjs'
import { findTool, TOOLS } from './lib/tools.mjs'

const kinds = ['guards', 'unit', 'service', 'slow', 'e2e', 'failure', 'containers', 'browser']
/** Kinds of tests that run only with `--all`, a filter or `--only`. */
const further = ['failure', 'containers', 'browser']
/**
 * Groups of tests that wait in the queue, the longest group first. Smaller groups would load all modules more often.
 * With larger groups, one of them would run alone on two cores at the end.
 */
const queued = [
  { name: 'slow tests', projects: ['slow'], filters: [] },
  ...[['statuses', 'media'], ['gateway'], ['admin'], ['accounts', 'notifications', 'streaming']].map((services) => ({
    name: `service tests of ${services.join(', ')}`,
    projects: ['service'],
    filters: services.map((service) => `services/${service}/test/`),
    niceness: 10,
  })),
]
/** Kinds of tests that need PostgreSQL, NATS and Redis. */
const onStores = ['service', 'slow', 'e2e', ...further]
const dataDir = join(root, '.data/test')
const programsDir = join(root, 'node_modules/.cache/programs')
/** Maximum number of failed tests that are repeated. If more tests fail, the cause is the changed code, and not a busy machine. */
const MAX_REPEATED = 10
const total = { passed: 0, failed: 0 }
let failures = []
/** Failures of tests that passed after they were repeated. */
let unstable = []
/** Number of tests that did not run because a tool is missing, by tool. */
const notRun = {}
/** Kinds of tests that this run left out. */
let notIncluded = []

async function test() {
  const { only, filters, leftOut } = options()
  const node = bootstrap()
  const { signal, stop } = interruption()
  const wanted = (kind) => (only ? only === kind : !leftOut.includes(kind) && (kind !== 'guards' || !filters.length))
  const needsBacking = onStores.some(wanted)
  const onLost = (sentence) => stop(refusal(sentence))
  const backing = needsBacking ? startBacking({ dir: dataDir, fresh: true, lasting: false, signal, onLost }) : null
  backing?.catch(() => {})
  // Programs are bundled only for runs without a filter, because for one test file the bundle takes longer than it
  // saves.
  const wantsPrograms = needsBacking && filters.length === 0
  const sources = { serve: 'bin/serve.ts', ctl: 'bin/ctl.ts' }
  const programs = wantsPrograms ? bundlePrograms(root, sources, programsDir) : null
  programs?.catch(() => {})
  try {
    mkdirSync(dataDir, { recursive: true })
    const { env: addresses, memory } = (await backing) ?? {}
    const env = {
      ...{ TEST: '1', MODE: 'test', ...addresses },
      ...(memory && { TEST_MEMORY: memory }),
      ...(programs && { TEST_PROGRAMS: programsDir }),
    }
    const group = (name, projects, how) =>
      projects.some(wanted) && tests({ node, name, projects: projects.filter(wanted), filters, env, signal, ...how })
    await programs
    signal.throwIfAborted()
    // With a filter, the tests are not divided into groups, because there are too few test files.
    const isDivided = filters.length === 0 && !only
    const queue = isDivided ? [...queued] : []
    /**
     * Runs a group of tests, and then groups from the queue until it is empty. The groups use the Redis databases from
     * the number `firstRedis` on.
     */
    const lane = async (name, projects, { workers, firstRedis, ...how }) => {
      await group(name, projects, { workers, firstRedis, ...how })
      for (let one = queue.shift(); one && !signal.aborted; one = queue.shift()) {
        const { filters, niceness } = one
        await group(one.name, one.projects, { workers: 2, firstRedis, filters, niceness, printAtEnd: true })
      }
    }
    const lanes = () => [
      lane('unit and service tests', ['unit', 'service'], {
        ...{ workers: wanted('failure') ? 2 : 3, firstRedis: 1, niceness: 10 },
        without: queue.flatMap((one) => one.filters),
      }),
      lane('end-to-end tests', [...(isDivided ? [] : ['slow']), 'e2e', 'containers', 'browser'], {
        ...{ workers: 1, firstRedis: 6, printAtEnd: true, niceness: 5 },
      }),
      lane('failure tests', ['failure'], { workers: 1, firstRedis: 11, printAtEnd: true }),
    ]
    const checks = async () => wanted('guards') && (await guards(node, signal))
    // Tests of failures and leases come first on the processor, because they compare real times. Whole products with
    // long start times come second, and all other tests last. Four workers keep two cores busy: those of
    // end-to-end and failure tests start several processes. More workers would only slow down each worker, up to the
    // deadlines of its tests.
    await Promise.all([checks(), ...lanes()])
    signal.throwIfAborted()
    if (isDivided) await repeatFailed({ node, env, signal })
    signal.throwIfAborted()
    notIncluded = leftOut
  } finally {
    await (await backing?.catch(() => null))?.stop()
  }
  if (total.passed + total.failed === 0) throw refusal(`No test file matches ${filters.join(' ')}.`)
}

function options() {
  try {
    const known = { only: { type: 'string' }, all: { type: 'boolean', default: false } }
    const { values, positionals } = parseArgs({ options: known, allowPositionals: true })
    const { only, all } = values
    if (only && !kinds.includes(only)) throw new Error(`--only takes one of ${kinds.join(', ')}`)
    return { only, filters: positionals, leftOut: all || only || positionals.length ? [] : further }
  } catch (error) {
    throw refusal(`${error.message}\nUsage: npm test -- [FILTER …] [--all] [--only ${kinds.join('|')}]`)
  }
}

/** Runs the checks of the sources. Each check counts as one test. */
async function guards(node, signal) {
  const bin = (name) => join(root, 'node_modules/.bin', name)
  const stages = [
    ['format and lint', [node, bin('biome'), 'check', '.']],
    // One checker and rare garbage collections halve the CPU time of tsc. Each of several checkers would check the shared types again.
    ['types', [node, bin('tsc'), '-p', 'tsconfig.json', '--checkers', '1'], { GOGC: '400' }],
    ['unused files, exports and dependencies', [node, bin('knip'), '--no-progress', '--no-config-hints']],
    ...(hasSource('bin/check.ts') ? [['architecture rules', sourceArgv(node, 'bin/check.ts')]] : []),
  ]
  for (const [name, argv, env] of stages) {
    signal.throwIfAborted()
    const outputFile = join(dataDir, `${name.replaceAll(/\W+/g, '-')}.log`)
    // Tests come first on the processor: overloaded, they exceed the deadlines of requests.
    const code = await runStage({ name, argv, env, signal, outputFile, niceness: 15 })
    total[code === 0 ? 'passed' : 'failed'] += 1
    if (code !== 0) failures.push(`The check "${name}" failed.`)
  }
}

/** Runs the tests of these projects. `without`: folders whose tests are left out. */
async function tests(options) {
  const {
    node,
    name,
    projects,
    filters,
    env,
    signal,
    workers,
    firstRedis,
    without = [],
    printAtEnd = false,
    niceness = 0,
  } = options
  const file = name.replaceAll(' ', '-')
  const report = join(dataDir, `report-${file}.json`)
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
  const outputFile = printAtEnd ? join(dataDir, `${file}.log`) : null
  const counted = tally(
    report,
    await runStage({
      name,
      argv,
      env: { ...env, TEST_REDIS_FIRST: String(firstRedis), TEST_WITHOUT: without.map((one) => `${one}**`).join(',') },
      signal,
      outputFile,
      niceness,
    }),
  )
  total.passed += counted.passed
  total.failed += counted.failed
  failures.push(...counted.failures)
  for (const [tool, count] of Object.entries(counted.notRun)) notRun[tool] = (notRun[tool] ?? 0) + count
}

/** Repeats the failed tests alone, and counts those that now pass. */
async function repeatFailed(how) {
  const nameOf = (failure) => failure.split('\n')[0]
  const fileOf = (failure) => nameOf(failure).split(' > ')[0]
  const some = failures.filter((failure) => fileOf(failure).endsWith('.test.ts'))
  if (some.length === 0 || some.length > MAX_REPEATED) return
  const before = { ...total, failures: [...failures], notRun: { ...notRun } }
  const projects = kinds.filter((kind) => kind !== 'guards')
  const options = { projects, filters: [...new Set(some.map(fileOf))], workers: 1, firstRedis: 1, printAtEnd: true }
  await tests({ ...how, ...options, name: 'repeated tests' })
  const passed = passedNames(join(dataDir, 'report-repeated-tests.json'))
  unstable = some.filter((failure) => passed.has(nameOf(failure)))
  // A test that fails only in the repetition counts as a failure, too.
  const names = new Set(before.failures.map(nameOf))
  const added = failures.slice(before.failures.length).filter((failure) => !names.has(nameOf(failure)))
  failures = [...before.failures.filter((failure) => !unstable.includes(failure)), ...added]
  total.passed = before.passed + unstable.length - added.length
  total.failed = before.failed - unstable.length + added.length
  Object.assign(notRun, before.notRun)
}

async function explainNotRun() {
  for (const [tool, count] of Object.entries(notRun)) {
    const { missing = 'it has appeared since' } = await findTool(tool)
    const advice = `${TOOLS[tool].needsRoot ? 'as root, ' : ''}"node bin/tools.mjs --install ${tool}" provides it`
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
for (const failure of unstable) console.error(`\nFAILED once, and passed alone: ${failure}`)
await explainNotRun()
if (notIncluded.length) console.log(`left out: ${notIncluded.join(', ')} (npm test -- --all runs all kinds)`)
if (unstable.length) console.log(`unstable: ${unstable.length} tests failed, and passed when they were repeated alone`)
say(interrupted ? 'interrupted' : 'done')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(interrupted ? 130 : total.failed ? 1 : 0)
