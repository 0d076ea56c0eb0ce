/** Starts the product on its backing services: first the migrations, then all processes. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sourceArgv } from './bootstrap.mjs'
import { endingWithParent } from './child.mjs'
import { root } from './machine.mjs'
import { choosePorts } from './ports.mjs'
import { superviseProcess } from './product-process.mjs'
import { lastLine, run } from './run.mjs'
import { refusal, shown } from './say.mjs'

/** Exit code of a process with an invalid setting (EX_CONFIG in sysexits.h). */
const wrongSetting = 78

export const hasSource = (file) => existsSync(join(root, file))

/** Returns the authorization block of the NATS configuration. Throws for an invalid setting of any service. */
export async function natsAuthorization(node, env, signal) {
  const made = await runSource({ node, env, signal }, 'bin/nats-config.ts', '--check-settings')
  if (made.code === wrongSetting) throw refusal(reasonOf(made))
  if (!made.ok) throw refusal(`The bus permissions could not be made: ${reasonOf(made)}`)
  return made.stdout
}

/**
 * Migrates the schema and role of every service. No product process may run meanwhile.
 * @returns {Promise<string[]>} warnings for the operator, one sentence each
 */
export async function migrate({ node, env, logDir, signal }) {
  const done = await runSource({ node, env, signal }, 'bin/migrate.ts')
  const file = join(logDir, 'migrate.log')
  mkdirSync(logDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, done.stdout + done.stderr, { mode: 0o600 })
  if (done.code === wrongSetting) throw refusal(reasonOf(done))
  if (!done.ok) throw refusal(`The migrations failed: ${reasonOf(done)}; all they said is in ${shown(file)}.`)
  const lines = done.stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).flatMap(({ level, message }) => (level === 'warn' ? [message] : []))
}

/**
 * Creates the first admin unless one exists.
 * @returns {Promise<{created: boolean, email?: string, password?: string}>} the password only when it was created now
 */
export async function firstAdmin(node, env, signal) {
  const asked = await runSource({ node, env, signal }, 'bin/ctl.ts', 'account', 'first-admin', '--json')
  if (!asked.ok) throw refusal(`The first admin could not be made: ${reasonOf(asked)}`)
  return JSON.parse(lastLine(asked.stdout))
}

/**
 * V8 heap options of a process, the same in `npm start`, in the image and in the benchmark. Each semi-space of the
 * young generation may grow to 16 MiB. With the default of Node (1 MiB for a process with 512 MiB), garbage collection
 * takes a fifth of the time of page requests.
 */
export const HEAP = ['--max-semi-space-size=16']

/**
 * Command line of one product process. Traces are recorded if the OTEL_ variables enable them; otherwise almost no
 * telemetry code is loaded.
 */
export const productArgv = (node, services) => {
  const [program, ...rest] = sourceArgv(node, 'bin/serve.ts', ...services)
  const at = rest.indexOf('--import') + 2
  const preload = ['--import', pathToFileURL(join(root, 'packages/telemetry/src/preload.ts')).href]
  return [program, ...HEAP, ...rest.slice(0, at), ...preload, ...rest.slice(at)]
}

/**
 * Starts all product processes.
 * @param {{table: Record<string, string[]>, threads: Record<string, number>, node: string, env: object, logDir: string, hold: object, say: Function,
 *   signal: AbortSignal}} options table: process name → roles in it; threads: process name → threads of its pool, unless
 *   UV_THREADPOOL_SIZE is set
 * @returns {Promise<{ready: Promise<unknown>, gaveUp: Promise<never>, stop: () => Promise<unknown>}>} ready rejects when a
 *   process gives up before, or when the signal is aborted
 */
export async function startProduct({ table, threads, node, env, logDir, hold, say, signal }) {
  const names = Object.keys(table)
  // Ports of health checks are stored per data folder. Fixed ports would conflict if two servers run on the machine.
  const healthPorts = await choosePorts(dirname(logDir), names)
  signal.throwIfAborted()
  const processes = names.map((name) =>
    superviseProcess({
      name,
      argv: productArgv(node, table[name]),
      env: { ...(threads[name] && { UV_THREADPOOL_SIZE: String(threads[name]) }), ...process.env, ...env },
      healthPort: healthPorts[name],
      logFile: join(logDir, `${name}.log`),
      hold,
      say,
    }),
  )
  const gaveUp = Promise.race(processes.map((process) => process.gaveUp))
  const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  return {
    ready: Promise.race([Promise.all(processes.map((process) => process.ready)), gaveUp, aborted]),
    gaveUp,
    stop: () => Promise.all(processes.map((process) => process.stop())),
  }
}

const runSource = ({ node, env, signal }, file, ...args) =>
  run([...endingWithParent('SIGTERM'), ...sourceArgv(node, file, ...args)], {
    cwd: root,
    env,
    timeout: 300_000,
    signal,
  })

/** Reason why a command failed: the last line of its output, which may be JSON, or the error line of a crash of Node. */
function reasonOf({ stdout, stderr, code }) {
  const crash = /^(?:\w*Error(?: \[\w+\])?: .+)$/m.exec(stderr)?.[0]
  const line = crash || lastLine(stderr) || lastLine(stdout) || `code ${code}`
  return /^\{"error":"(.+?)"[,}]/.exec(line)?.[1] ?? line
}
