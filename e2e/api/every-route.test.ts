/** Rules of every route, tested over HTTP on all services: access, caching, paging and hostile input. */

import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { routedOperations } from '@murmuration/contracts/registry'
import { mapLimited } from '@murmuration/flow'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'

let cluster: Cluster
const token = { all: '', push: '', app: '' }

const person = async (username: string, scopes: string): Promise<string> => {
  await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })
  return (await cluster.call(createTokenByOperator, { username, scopes })).token
}

const applicationToken = async (): Promise<string> => {
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(cluster.origin + path, { method: 'POST', body: new URLSearchParams(form) })
    return (await answer.json()) as Record<string, string>
  }
  const redirect = 'urn:ietf:wg:oauth:2.0:oob'
  const made = await post('/api/v1/apps', { client_name: 'Table', redirect_uris: redirect, scopes: 'read write' })
  const { client_id, client_secret } = made
  const given = { client_id: client_id!, client_secret: client_secret!, scope: 'read write' }
  return (await post('/oauth/token', { ...given, grant_type: 'client_credentials' })).access_token!
}

beforeAll(async () => {
  cluster = await startCluster({
    apps: await loadAll(),
    env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off', OAUTH_PASSWORD_GRANT: 'true' },
  })
  token.all = await person('alice', 'read write follow push profile admin:read admin:write')
  token.push = await person('pusher', 'push')
  token.app = await applicationToken()
})
afterAll(() => cluster?.stop())

interface Asked {
  operation: AnyOperation
  route: Route
  name: string
}
const routes: Asked[] = routedOperations().flatMap((operation) =>
  operation.http.map((route) => ({ operation, route, name: `${route.method} ${route.path}` })),
)
const some = (which: (asked: Asked) => boolean): Asked[] => {
  const found = routes.filter(which)
  if (!found.length) throw new Error('no route is of this kind')
  return found
}

/** Requests a few routes at a time, so that the whole table takes seconds without overload. */
const each = async <T>(asked: readonly Asked[], one: (asked: Asked) => Promise<T>): Promise<Map<string, T>> =>
  new Map(await mapLimited(asked, 8, async (it): Promise<[string, T]> => [it.name, await one(it)]))

const request = async (
  { route }: Asked,
  { bearer, query = '', ...init }: RequestInit & { bearer?: string; query?: string } = {},
) => {
  const path = route.path.replace(/[:*]\w+/g, '1')
  const answer = await fetch(`${cluster.origin}${path}${query}`, {
    redirect: 'manual',
    ...init,
    method: route.method,
    headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(init.headers as Record<string, string>) },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const statuses = (answers: Map<string, { status: number }>) =>
  Object.fromEntries([...answers].map(([name, { status }]) => [name, status]))
const all = <T>(asked: readonly Asked[], value: T) => Object.fromEntries(asked.map(({ name }) => [name, value]))

describe('A053 A055 every route requires the access in its contract', () => {
  const isStaff = ({ operation }: Asked) => operation.viewer.permission !== undefined
  const accounts = some((asked) => asked.operation.viewer.kind === 'user' && !isStaff(asked))
  const staff = some(isStaff)
  const apps = some(({ operation }) => operation.viewer.kind === 'app')
  const scoped = some(({ operation }) => operation.viewer.scopes.some((scope) => scope !== 'push'))

  test('without a token', async () => {
    const [named, unnamed] = [true, false].map((has) =>
      [...accounts, ...apps].filter(({ operation }) => operation.viewer.scopes.length > 0 === has),
    )
    expect(statuses(await each(named!, request))).toEqual(all(named!, 401))
    // Routes that accept a token with any scopes respond 422 without one, because an account is required.
    const answers = Object.values(statuses(await each(unnamed!, request)))
    expect(new Set(answers)).toEqual(new Set([401, 422]))
    expect(statuses(await each(staff, request))).toEqual(all(staff, 403))
  })

  test('with an application token', async () => {
    const answers = statuses(await each([...accounts, ...staff], (asked) => request(asked, { bearer: token.app })))
    const let_in = Object.entries(answers).filter(([, status]) => ![401, 403, 422].includes(status))
    expect(let_in).toEqual([])
  })

  test('with a token that has every scope except the required one', async () => {
    const other = scoped.filter(({ operation }) => !operation.viewer.scopes.includes('push'))
    const answers = statuses(await each(other, (asked) => request(asked, { bearer: token.push })))
    expect(answers).toEqual(all(other, 403))
  })

  test('staff routes refuse accounts without a staff role, whatever the scopes of the token', async () => {
    expect(statuses(await each(staff, (asked) => request(asked, { bearer: token.all })))).toEqual(all(staff, 403))
  })
})

test('A068 A073 responses to requests with a token are not cacheable by others', async () => {
  const reads = some(
    ({ operation, route }) =>
      route.method === 'GET' && operation.cache !== 'instance' && operation.viewer.kind !== 'anyone',
  )
  const answers = await each(reads, (asked) => request(asked, { bearer: token.all }))
  const kept = [...answers].filter(
    ([, { headers, status }]) =>
      status < 300 &&
      headers.get('content-type')?.startsWith('application/json') &&
      headers.get('cache-control') !== 'private, no-store',
  )
  expect(kept.map(([name, { headers }]) => [name, headers.get('cache-control')])).toEqual([])
  expect([...answers.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(30)
})

test('D044 A140 no list returns more than a page, or fails for invalid page parameters', async () => {
  const lists = some(({ operation, route }) => route.method === 'GET' && 'limit' in shapeOf(operation))
  const queries = ['?limit=100000', '?limit=-1', '?limit=1e9&offset=1000000000', '?min_id=-1&limit=0', '?max_id=%00']
  for (const query of queries) {
    const answers = await each(lists, (asked) => request(asked, { bearer: token.all, query }))
    expect([...answers].filter(([, { status }]) => status >= 500).map(([name]) => `${name}${query}`)).toEqual([])
  }
  const caps = lists.map(({ name, operation }) => [name, Number(shapeOf(operation).limit?.safeParse('100000').data)])
  expect(caps.filter(([, cap]) => !(Number(cap) <= 1_000))).toEqual([])
})

const shapeOf = (operation: AnyOperation) =>
  ('shape' in operation.input ? operation.input.shape : {}) as Record<
    string,
    { safeParse(value: unknown): { data?: unknown } }
  >

describe('hostile text in every parameter', () => {
  const HOSTILE = {
    D040: `'"; drop table statuses; --`,
    D038: 'a\u0000b\u202ec',
    A150: `"><img src=x onerror=alert(1)>`,
  }
  const writes = some(({ route }) => !['GET', 'DELETE'].includes(route.method) && !/^\/oauth|inbox/.test(route.path))
  const textsOf = (operation: AnyOperation, word: string) => {
    const names = Object.keys(shapeOf(operation)).filter((name) => !/^(id|acct)$/.test(name))
    return Object.fromEntries(names.map((name) => [name, word]))
  }

  test.each(Object.entries(HOSTILE))(
    '%s in every field of every route is stored, refused or ignored, and never causes a 5xx',
    async (_rule, word) => {
      const answers = await each(writes, (asked) =>
        request(asked, {
          bearer: token.all,
          body: JSON.stringify(textsOf(asked.operation, word)),
          headers: { 'content-type': 'application/json' },
        }),
      )
      expect([...answers].filter(([, { status }]) => status >= 500)).toEqual([])
    },
  )

  test.each(Object.entries(HOSTILE))('%s in the path and query of every route', async (_rule, word) => {
    const reads = some(({ operation, route }) => route.method === 'GET' && Object.keys(shapeOf(operation)).length > 0)
    const answers = await each(reads, (asked) =>
      request(asked, { bearer: token.all, query: `?${new URLSearchParams(textsOf(asked.operation, word))}` }),
    )
    expect([...answers].filter(([, { status }]) => status >= 500)).toEqual([])
  })

  test('D093 keys that name a prototype have no effect', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"status":"a","title":"b"}'
    const form = '__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1'
    await each(writes, (asked) =>
      request(asked, { bearer: token.all, body, headers: { 'content-type': 'application/json' } }),
    )
    const answers = await each(writes, (asked) =>
      request(asked, {
        bearer: token.all,
        body: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    )
    expect([...answers].filter(([, { status }]) => status >= 500)).toEqual([])
    // All services run in this process.
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('D037 fields that an account may not set are ignored', async () => {
  const bearer = await person('carol', 'read write')
  const asked = some(({ name }) => name === 'PATCH /api/v1/accounts/update_credentials')[0]!
  const wishes = {
    role: 'Owner',
    role_id: '3',
    admin: true,
    confirmed: false,
    suspended: true,
    followers_count: 99,
    id: '1',
  }
  const answer = await request(asked, {
    bearer,
    body: JSON.stringify({ ...wishes, display_name: 'Carol' }),
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    200,
    expect.objectContaining({
      display_name: 'Carol',
      followers_count: 0,
      role: expect.objectContaining({ id: '-99' }),
    }),
  ])
})

test.each(['/api/v0/instance', '/api/v3/instance', '/api/v1/unknown', '/api/v2/timelines/home', '/api'])(
  'D050 %s, which is in no contract, responds 404',
  async (path) => {
    const answer = await fetch(cluster.origin + path, { headers: { authorization: `Bearer ${token.all}` } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    expect(await answer.json()).toHaveProperty('error')
  },
)
