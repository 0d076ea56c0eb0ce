/** A separate Redis for one test, which may fill it, slow it down, stop it and wipe it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'

export interface OwnRedis {
  url: string
  /** Delays every response by this time in milliseconds. */
  slow(ms: number): void
  /** Changes settings by `CONFIG SET`. */
  set(settings: Record<string, string>): Promise<void>
  kill(): Promise<void>
  /** Starts Redis again, empty. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface Backing {
  env: Record<string, string>
  stop(): Promise<void>
}
/** Loads the product's own supervisor at run time, because it is plain JavaScript. */
const supervisor = new URL('../../../bin/lib/backing.mjs', import.meta.url).href

/** Starts Redis behind a proxy, so that its address stays the same across restarts. */
export const startOwnRedis = async (): Promise<OwnRedis> => {
  const dir = mkdtempSync(join(tmpdir(), 'murmuration-redis-'))
  const { startBacking } = (await import(supervisor)) as { startBacking(options: object): Promise<Backing> }
  const begin = () =>
    startBacking({ dir, fresh: true, skip: { pg: true, nats: true }, say: () => {}, onLost: () => {} })
  let backing = await begin()
  let wait = 0
  const open = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(backing.env.REDIS_URL ?? '').port), '127.0.0.1')
    for (const socket of [client, server]) {
      open.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => setTimeout(() => client.writable && client.write(bytes), wait))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = new URL(backing.env.REDIS_URL ?? '')
  const password = url.password
  const through = `redis://:${password}@127.0.0.1:${port}/0`
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: through,
    slow(ms) {
      wait = ms
    },
    async set(settings) {
      const client = createClient({ url: backing.env.REDIS_URL ?? '' })
      await client.connect()
      await client.configSet(settings)
      client.destroy()
    },
    async kill() {
      cut()
      await backing.stop()
    },
    async start() {
      backing = await begin()
      const client = createClient({ url: backing.env.REDIS_URL ?? '' })
      await client.connect()
      // The new Redis has a new password; the services keep the address with the old one.
      await client.configSet('requirepass', password)
      client.destroy()
    },
    async stop() {
      cut()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
      await backing.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
