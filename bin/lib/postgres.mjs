/** PostgreSQL on loopback with its data in one folder: made on the first start, never touched by another major version. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ordinaryUser } from './ordinary-user.mjs'
import { acceptsConnections } from './postgres-answer.mjs'
import { findPostgres } from './postgres-program.mjs'
import { lastLine, run } from './run.mjs'
import { refusal } from './say.mjs'
import { startServer } from './server.mjs'

const owner = 'murmuration'

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  shared_buffers: '256MB',
  // Partitioned tables and schemas that are dropped whole take a lock on each of their parts.
  max_locks_per_transaction: 256,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %q%u@%d ',
  // The detail of an error names the values of the row, such as the e-mail address that somebody has already.
  log_error_verbosity: 'terse',
}

/** For data that is thrown away anyhow: nothing waits for the disk, and only a machine that stops could lose anything. */
const hasty = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Nothing is replicated. The log of changes takes memory where the data is in memory.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '256MB',
  // Eight products and clusters of tests at once.
  max_connections: 500,
  // Passwords are random, and a test run opens thousands of connections, each of which would derive a key 4,096 times.
  scram_iterations: 1,
}

/**
 * @param {{dir: string, data?: string, port: number, password: string, lasting: boolean, hold: object, say: Function, signal?: AbortSignal, onStart: Function}} options
 *   dir: for the log; data: for the folder pg
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
    // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, from which it recovers at the next start.
    argv: user.wrap([join(program.bin, 'postgres'), '-D', data, ...options], 'SIGINT'),
    stopSignal: 'SIGINT',
    insistSignal: 'SIGQUIT',
    dir,
    hold,
    answers: () => acceptsConnections(port, owner),
    blames: /FATAL|PANIC/,
    signal,
    onStart,
  })
  say(`PostgreSQL ${program.major} answers on port ${port} (${program.origin}, ${user.how})`)
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

/** Built beside its place and moved there when complete, so that an interrupted start leaves no half of a cluster. */
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
 * After a kill, postmaster.pid names a process that is gone, and in a container its number may already belong to
 * another program, which PostgreSQL takes for itself and refuses to start. Our own number in its place reads as stale
 * (a parent is never the rival), while the shared memory that the file also names is still checked for live backends.
 * Only the holder of the data folder comes here.
 */
function disownStalePid(data) {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [process.pid, ...rest].join('\n'))
}
