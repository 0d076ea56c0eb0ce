/** Starts Redis on loopback with an append-only file. The program is Redis or Valkey of the machine, else of Debian. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { endingWithParent } from './child.mjs'
import { fromDebian } from './debian.mjs'
import { isAtLeast, which } from './machine.mjs'
import { run } from './run.mjs'
import { refusal } from './say.mjs'
import { startServer } from './server.mjs'

const oldest = '6.2.0'

/**
 * Starts one server for both logical endpoints (state and cache). The Redis server never evicts keys, because state
 * must not be lost.
 * @param {{dir: string, data?: string, port: number, password: string, hold: object, say: Function, signal?: AbortSignal, onStart: Function}} options
 * @returns {Promise<{url: string, child: import('./child.mjs').Child}>}
 */
export async function startRedis({ dir, data: parent = dir, port, password, hold, say, signal, onStart }) {
  const { file, env, version } = await findRedis(say)
  const data = join(parent, 'redis')
  const config = join(dir, 'redis.conf')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  writeFileSync(config, configText({ data, port, password }), { mode: 0o600 })
  const child = await startServer({
    name: 'Redis',
    argv: [...endingWithParent('SIGTERM'), file, config],
    stopSignal: 'SIGTERM',
    env,
    dir,
    hold,
    state: () => stateOf(port, password),
    say,
    blames: /FATAL|error|failed/i,
    signal,
    onStart,
  })
  say(`Redis ${version} listens on port ${port} (${file})`)
  return { url: `redis://:${password}@127.0.0.1:${port}`, child }
}

/**
 * Configuration of Redis with the password. It is a private file, because all users can read the arguments of programs.
 * Redis runs background work `hz` times a second.
 */
const configText = ({ data, port, password }) => `# Written at every start; changes are lost.
bind 127.0.0.1
port ${port}
requirepass ${password}
dir ${JSON.stringify(data)}
daemonize no
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
hz 2
`

async function findRedis(say) {
  const installed = which('redis-server') ?? which('valkey-server')
  const found = installed
    ? { file: installed }
    : await fromDebian({ name: 'redis-server', program: 'redis-server', beside: ['redis-tools'], say })
  if (found.reason) {
    throw refusal(
      `Redis is missing and Debian's could not be fetched (${found.reason}): install redis-server or valkey-server, or set REDIS_URL.`,
    )
  }
  const version =
    /v=(\d+\.\d+\.\d+)/.exec((await run([found.file, '--version'], { env: found.env })).stdout)?.[1] ?? '0'
  if (!isAtLeast(version, oldest)) {
    throw refusal(
      `${found.file} is version ${version}: install Redis ${oldest} or newer (or Valkey), or set REDIS_URL.`,
    )
  }
  return { ...found, version }
}

/** State of Redis by its response to PING. While it loads the append-only file, it responds with the error LOADING. */
const stateOf = (port, password) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    const end = (state) => {
      socket.destroy()
      resolve(state)
    }
    socket.setTimeout(1_000, () => end('silent'))
    socket.once('error', () => end('silent'))
    socket.once('close', () => end('silent'))
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`))
    socket.on('data', (bytes) => {
      text += bytes
      if (text.split('\r\n').length <= 2) return
      end(text.startsWith('+OK\r\n+PONG') ? 'ready' : text.includes('-LOADING') ? 'recovering' : 'silent')
    })
  })
