/**
 * Starts the product as processes that may be killed, its users, and remote servers: healthy, hanging and dead ones.
 */
import { randomUUID } from 'node:crypto'
import { type Product, startProduct } from '@murmuration/testkit'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { loadAll } from '../../bin/services.js'

/** Services of each process. `edge` is never killed, the other processes are killed in the order of `KILLED`. */
const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses:api', 'notifications', 'admin', 'media'],
  fanout: ['statuses:reactor,fanout,links'],
  deliver: ['federation:deliver'],
  inbox: ['federation:api,inbox,archive,fetch'],
}
export const KILLED = ['fanout', 'deliver', 'inbox', 'deliver', 'inbox', 'core']

/** A user of the product. `call` rejects on a status of 400 or more. */
export interface LocalUser {
  name: string
  id: string
  uri: string
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

/** A remote server and its two actors. */
export interface Peer {
  server: RemoteServer
  /** Follows all local users, is followed by them, and writes. */
  steady: RemoteActor
  /** Begins and ends follows at random, and writes nothing. */
  fickle: RemoteActor
  /** Sends an activity as an actor, repeatedly until the inbox accepts or refuses it. Returns the last HTTP status. */
  send(as: RemoteActor, activity: Document | string): Promise<number>
}

export interface Setup {
  product: Product
  users: LocalUser[]
  healthy: Peer[]
  /** Does not respond during the traffic, and responds again afterwards. */
  hanging: Peer
  /** Responds 500 from the beginning of the traffic on. */
  dead: Peer
  stop(): Promise<void>
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Longest time of one request with its repetitions. */
const REQUEST_LIMIT_MS = 120_000

/** Repeats a request until its response is neither 5xx nor 429. Returns the status. */
const retry = async (send: () => Promise<{ status: number } | null>): Promise<number> => {
  for (const end = Date.now() + REQUEST_LIMIT_MS; Date.now() < end; await pause(300)) {
    const response = await send().catch(() => null)
    if (response !== null && response.status < 500 && response.status !== 429) return response.status
  }
  throw new Error(`no response within ${REQUEST_LIMIT_MS / 1_000} seconds`)
}

const createUser = async (product: Product, name: string): Promise<LocalUser> => {
  const made = await product.ctl('account', 'create', name, '--email', `${name}@example.org`, '--confirmed')
  const { token } = await product.ctl('token', 'create', name, '--scopes', 'read write follow')
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let found: unknown
    const key = randomUUID()
    const status = await retry(async () => {
      const response = await fetch(product.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      found = await response.json()
      return response
    })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(found)}`)
    return found as T
  }
  const me = await call<{ uri: string }>('GET', '/api/v1/accounts/verify_credentials')
  return { name, id: String(made.id), uri: me.uri, call }
}

/** Starts a remote server on its own loopback address. It accepts every follow at once. */
const startPeer = async (product: Product, n: number): Promise<Peer> => {
  const server = await startRemoteServer({ host: `127.0.0.${n}` })
  const [steady, fickle] = [await server.addActor('steady'), await server.addActor('fickle')]
  const send: Peer['send'] = (as, activity) =>
    retry(() => server.send(activity, `${product.origin}/inbox`, { as, withinMs: 20_000 }))
  const accept = async (): Promise<void> => {
    for (;;) {
      const { activity } = await server.inbox.next((one) => one.activity.type === 'Follow', 2 ** 31 - 1)
      const followed = [steady, fickle].find((actor) => actor.id === activity.object)
      if (followed) send(followed, makeActivity(followed, 'Accept', activity)).catch(() => undefined)
    }
  }
  accept().catch(() => undefined)
  return { server, steady, fickle, send }
}

export const startSetup = async (): Promise<Setup> => {
  const product = await startProduct({
    apps: await loadAll(),
    table: TABLE,
    revive: true,
    env: {
      OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
      DELIVERY_TIMEOUT_MS: '4000',
      MEDIA_FFMPEG: 'off',
      LOG_LEVEL: 'warn',
    },
  })
  await product.ready(180_000)
  const users: LocalUser[] = []
  for (const name of ['ann', 'ben', 'cat', 'dan']) users.push(await createUser(product, name))
  const [hanging, dead, ...healthy] = await Promise.all(Array.from({ length: 6 }, (_, n) => startPeer(product, 11 + n)))
  return {
    product,
    users,
    healthy,
    hanging: hanging as Peer,
    dead: dead as Peer,
    async stop() {
      for (const { server } of [...healthy, hanging, dead] as Peer[]) await server.close()
      await product.stop()
    },
  }
}
