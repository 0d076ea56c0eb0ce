/**
 * Starts PostgreSQL on loopback. Its data folder is created at the first start, and used with the same major version
 * only.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ordinaryUser } from './ordinary-user.mjs'
import { findPostgres } from './postgres-program.mjs'
import { stateOf } from './postgres-ready.mjs'
import { lastLine, run } from './run.mjs'
import { refusal } from './say.mjs'
import { startServer } from './server.mjs'

const owner = 'murmuration'

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  shared_buffers: '256MB',
  // Dropping a schema or a partitioned table takes a lock on each of its tables.
  max_locks_per_transaction: 256,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%u@%d ',
  // The log contains no details of errors, because they contain values of rows, such as e-mail addresses.
  log_error_verbosity: 'terse',
}

/** PostgreSQL settings for temporary data. Writes do not wait for the disk, because data is lost only if the machine crashes. */
const hasty = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The WAL is minimal, because nothing is replicated and it uses memory if the data is in memory.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '256MB',
  // The limit of connections is enough for eight products and test clusters at the same time.
  max_connections: 500,
  // Autovacuum is off, because statistics that appear in the middle of a test change plans. Tests of plans gather
  // statistics themselves.
  autovacuum: 'off',
  // SCRAM uses one iteration instead of 4,096. A test run opens thousands of connections, and the passwords are random.
  scram_iterations: 1,
  // Each connection plans a prepared statement once. By default it plans the first five calls with their values, and most
  // connections of tests make few calls.
  plan_cache_mode: 'force_generic_plan',
}

/**
 * @param {{dir: string, data?: string, port: number, password: string, lasting: boolean, hold: object, say: Function, signal?: AbortSignal, onStart: Function}} options
 *   dir: folder of the log; data: parent of the folder pg
 * @returns {Promise<{url: string, child: import('./child.mjs').Child}>}
 */
export async function startPostgres({ dir, data: parent = dir, port, password, lasting, hold, say, signal, onStart }) {
  const data = join(parent, 'pg')
  const user = ordinaryUser()
  const program = findPostgres(dataMajor(data))
  if (!existsSync(data)) await makeData({ dir: parent, data, program, user, password, signal })
  user.own(data)
  disownStalePid(data)
  const options = Object.entries({ port, ...settings, ...(lasting ? {} : hasty) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = await startServer({
    name: 'PostgreSQL',
    // Signals that stop PostgreSQL: SIGINT requests a fast shutdown, SIGQUIT an immediate one with recovery at the next start.
    argv: user.wrap([join(program.bin, 'postgres'), '-D', data, ...options], 'SIGINT'),
    stopSignal: 'SIGINT',
    insistSignal: 'SIGQUIT',
    dir,
    hold,
    state: () => stateOf(port, owner),
    say,
    blames: /FATAL|PANIC/,
    signal,
    onStart,
  })
  say(`PostgreSQL ${program.major} listens on port ${port} (${program.origin}, ${user.how})`)
  return { url: `postgres://${owner}:${password}@127.0.0.1:${port}/postgres`, child }
}

function dataMajor(data) {
  if (!existsSync(data)) return null
  try {
    return Number(readFileSync(join(data, 'PG_VERSION'), 'utf8').trim())
  } catch {
    throw refusal(`${data} exists but holds no PostgreSQL data: move it away.`)
  }
}

/**
 * Creates the data folder of PostgreSQL under a temporary name, and renames it when it is complete. An interrupted
 * start therefore leaves no incomplete data folder.
 */
async function makeData({ dir, data, program, user, password, signal }) {
  const draft = join(dir, 'pg.new')
  const passwordFile = join(dir, 'pg.password')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  user.own(draft)
  user.own(passwordFile)
  const locale =
    program.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8']
  const options = [
    '--encoding=UTF8',
    ...locale,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--no-instructions',
  ]
  const argv = [join(program.bin, 'initdb'), '-D', draft, '-U', owner, ...options]
  const made = await run(user.wrap(argv, 'SIGKILL'), { env: { LC_ALL: 'C.UTF-8' }, signal }).finally(() =>
    rmSync(passwordFile, { force: true }),
  )
  if (!made.ok) throw refusal(`PostgreSQL could not make its data folder: ${lastLine(made.stderr)}`)
  renameSync(draft, data)
}

/**
 * Replaces the process id in postmaster.pid of a killed server with that of this process. In a container another
 * program may have the old id, and PostgreSQL would refuse to start. PostgreSQL treats the id of its parent as stale.
 * PostgreSQL still checks the shared memory in that file for running backends. The caller must have locked the data
 * folder.
 */
function disownStalePid(data) {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [process.pid, ...rest].join('\n'))
}
