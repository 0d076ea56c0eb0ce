/** Our cluster as real processes that may be killed, people on it, and servers of others around it: living, slow, dead. */
import { randomUUID } from 'node:crypto'
import { type Product, startProduct } from '@murmuration/testkit'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { loadAll } from '../../bin/services.js'

/** The edge stays; everything else is killed in turn. */
const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses:api', 'notifications', 'admin', 'media'],
  spread: ['statuses:reactor,fanout,links'],
  deliver: ['federation:deliver'],
  doors: ['federation:api,inbox,archive,fetch'],
}
export const KILLED = ['spread', 'deliver', 'doors', 'deliver', 'doors', 'core']

export interface Local {
  name: string
  id: string
  uri: string
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

export interface Elsewhere {
  server: RemoteServer
  /** Follows and is followed all the time, and writes. */
  steady: RemoteActor
  /** Follows and is followed now and then, and writes nothing. */
  fickle: RemoteActor
  /** Sends an activity as somebody, again and again until it was taken or refused; the status of the last answer. */
  send(as: RemoteActor, activity: Document | string): Promise<number>
}

export interface World {
  product: Product
  people: Local[]
  living: Elsewhere[]
  /** Answers nothing after a while, and is back in the end. */
  sleeping: Elsewhere
  /** Fails after a while, for good. */
  dead: Elsewhere
  stop(): Promise<void>
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const PATIENCE_MS = 120_000

/** Asks until there is an answer that is no trouble of the server, as apps and servers do. */
const insist = async (ask: () => Promise<{ status: number } | null>): Promise<number> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(300)) {
    const answer = await ask().catch(() => null)
    if (answer !== null && answer.status < 500 && answer.status !== 429) return answer.status
  }
  throw new Error(`no answer within ${PATIENCE_MS / 1_000} seconds`)
}

const makeLocal = async (product: Product, name: string): Promise<Local> => {
  const made = await product.ctl('account', 'create', name, '--email', `${name}@example.org`, '--confirmed')
  const { token } = await product.ctl('token', 'create', name, '--scopes', 'read write follow')
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let found: unknown
    const key = randomUUID()
    const status = await insist(async () => {
      const answer = await fetch(product.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      found = await answer.json()
      return answer
    })
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(found)}`)
    return found as T
  }
  const me = await call<{ uri: string }>('GET', '/api/v1/accounts/verify_credentials')
  return { name, id: String(made.id), uri: me.uri, call }
}

/** A server on its own loopback address, which accepts every follow at once and believes who signs. */
const makeElsewhere = async (product: Product, n: number): Promise<Elsewhere> => {
  const server = await startRemoteServer({ host: `127.0.0.${n}` })
  const [steady, fickle] = [await server.addActor('steady'), await server.addActor('fickle')]
  const send: Elsewhere['send'] = (as, activity) =>
    insist(() => server.send(activity, `${product.origin}/inbox`, { as, withinMs: 20_000 }))
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

export const startWorld = async (): Promise<World> => {
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
  const people: Local[] = []
  for (const name of ['ann', 'ben', 'cat', 'dan']) people.push(await makeLocal(product, name))
  const [sleeping, dead, ...living] = await Promise.all(
    Array.from({ length: 6 }, (_, n) => makeElsewhere(product, 11 + n)),
  )
  return {
    product,
    people,
    living,
    sleeping: sleeping as Elsewhere,
    dead: dead as Elsewhere,
    async stop() {
      for (const { server } of [...living, sleeping, dead] as Elsewhere[]) await server.close()
      await product.stop()
    },
  }
}
