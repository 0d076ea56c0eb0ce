/** Test harness: a gateway with real services, accounts with tokens, HTTP requests, and a federation stub that returns its input. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { fetchLinkBack, receiveActivity, showActor, showNodeInfo, showNote } from '@murmuration/contracts/federation'
import { reply } from '@murmuration/contracts/kit'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { app as gateway } from '../src/main.js'

const { handle } = handlersFor<BaseContext>()

/** Federation stub. Its operations respond with the input that they got from the edge. */
export const federation: App = {
  manifest: service('federation', {
    operations: [
      handle(fetchLinkBack, async () => ({ outcome: 'not-found' as const, linksBack: false })),
      handle(showActor, async (_ctx, _viewer, input) =>
        reply(JSON.stringify(input), {
          headers: { Vary: 'Accept, Signature', 'Cache-Control': 'max-age=180, public' },
        }),
      ),
      handle(showNote, async (_ctx, _viewer, input) => reply(JSON.stringify(input))),
      handle(receiveActivity, async (_ctx, _viewer, input) => reply(JSON.stringify(input), { status: 202 })),
      handle(showNodeInfo, async () =>
        reply('{}', { headers: { 'Mastodon-Async-Refresh': 'id="x", retry=5', 'X-Unchanged': '1' } }),
      ),
    ],
    database: false,
    roles: { documents: { operations: true, scales: '', needs: [] } },
  }),
  createContext: (base) => base,
}

export const PASSWORD = 'correct horse battery'

export interface StubResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  json<T = Record<string, unknown>>(): T
}

export interface Harness extends Cluster {
  /** Creates a confirmed account with `PASSWORD`; returns a bearer token. */
  createAccount(name: string, scopes?: string): Promise<string>
  /** Sends one request to the gateway. Redirects are not followed. */
  http(path: string, options?: RequestInit & { token?: string; json?: unknown }): Promise<StubResponse>
}

/** Sends one request to `origin`. Redirects are not followed. */
export const http = async (
  origin: string,
  path: string,
  { token, json, headers, ...init }: RequestInit & { token?: string; json?: unknown } = {},
): Promise<StubResponse> => {
  const response = await fetch(origin + path, {
    redirect: 'manual',
    method: json === undefined ? 'GET' : 'POST',
    ...init,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

/** Clock offset in ms to one second after the start of a window of five minutes, so that no window ends during a test. */
export const windowStart = (): string => String(1_000 - (Date.now() % 300_000))

/** Returns a browser with the session of an account that has the usual password. It follows redirects on this server only. */
export const signInBrowser = async ({ origin }: Pick<Cluster, 'origin'>, username: string): Promise<Browser> => {
  const by = openBrowser({ follows: (url) => url.origin === origin })
  await by.get(`${origin}/auth/sign_in`)
  await by.submit(0, { fields: { 'user[email]': `${username}@mail.example`, 'user[password]': PASSWORD } })
  return by
}

export const startHarness = async (
  env: Record<string, string> = {},
  apps: readonly App[] = [gateway, accounts, statuses, media, federation],
): Promise<Harness> => {
  const cluster = await startCluster({ apps, env })
  return Object.assign(Object.create(cluster) as Cluster, {
    async createAccount(name: string, scopes = 'read write follow push') {
      await cluster.call(createAccountByOperator, {
        username: name,
        email: `${name}@mail.example`,
        password: PASSWORD,
        confirmed: true,
      })
      return (await cluster.call(createTokenByOperator, { username: name, scopes })).token
    },
    http: (path: string, options?: Parameters<typeof http>[2]) => http(cluster.origin, path, options),
  })
}
