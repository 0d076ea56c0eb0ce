/** On every route, an object that the viewer may not see costs the same statements and bus requests as one that does not exist. */
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { routedOperations } from '@murmuration/contracts/registry'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { makeActivity, makeNote, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'
import { BLOCKED, makeThings, send, type Things } from './hidden-things.js'
import { type Meter, meterOf } from './meter.js'

let cluster: Cluster
let meter: Meter
let things: Things
let remote: RemoteServer
/** An actor of another server, who is known here and has no relationship to a local account. */
let vera: RemoteActor
beforeAll(async () => {
  const env = { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' }
  cluster = await startCluster({ apps: await loadAll(), env })
  things = await makeThings(cluster)
  remote = await startRemoteServer()
  vera = await remote.addActor('vera')
  const liked = `${cluster.origin}/ap/users/${things.alice.id}/statuses/${things.open}`
  await remote.send(makeActivity(vera, 'Like', liked), `${cluster.origin}/inbox`, { as: vera })
  await cluster.waitForIdle()
  meter = meterOf(cluster)
})
afterAll(async () => {
  await cluster?.stop()
  await remote?.close()
})

/** Path before a parameter → kind of object that the parameter identifies. */
const NAMES: Record<string, string> = {
  'timelines/list': 'lists',
  embeds: 'statuses',
  'ap/contexts': 'statuses',
  'api/murmuration/v1/strikes': 'strikes',
}
/**
 * Parameters of objects that are visible to all accounts or to none, or that are keys within the viewer's own objects. Of
 * `collections`, the API itself reports that the owner blocks the viewer (403).
 */
const SHOWN = new Set([
  ...[
    'accounts',
    'ap/users',
    'users',
    'tags',
    'timelines/tag',
    'announcements',
    'reactions',
    'instance/pictures',
    'emojis',
  ],
  ...['instance/terms_of_service', 'annual_reports', 'media_proxy', 'push_subscriptions', 'async_refreshes'],
  ...['suggestions', 'follow_requests', 'notifications/requests', 'items', 'keywords', 'ap/users/collections'],
  ...['feature_authorizations', 'collections', 'collections/items'],
  // For staff only.
  'api/murmuration/v1/admin/warning_presets',
])
/** Input fields that identify objects, with their kinds. */
const FIELDS: Record<string, string> = {
  in_reply_to_id: 'statuses',
  quoted_status_id: 'statuses',
  status_id: 'statuses',
  status_ids: 'statuses',
  media_ids: 'media',
}
const PLAIN_FIELDS = new Set([
  'max_id',
  'since_id',
  'min_id',
  'account_id',
  'account_ids',
  'rule_ids',
  'client_id',
  'collection_ids',
])
/** Operations whose `id` is a field of the query, not of the path. */
const BY_QUERY: Record<string, string> = { 'statuses.status.list': 'statuses', 'media.attachment.show': 'media' }
/** Fields that an operation needs beside the id. */
const BODIES: Record<string, () => Record<string, unknown>> = {
  'statuses.poll.vote': () => ({ choices: [0] }),
  'statuses.status.edit': () => ({ status: 'edited' }),
  'statuses.status.create': () => ({ status: 'hello' }),
  'statuses.status.interaction-policy': () => ({ quote_approval_policy: 'nobody' }),
  'statuses.scheduled.move': () => ({ scheduled_at: new Date(Date.now() + 1728e5).toISOString() }),
  'statuses.filter-keyword.add': () => ({ keyword: 'x' }),
  'statuses.filter-keyword.update': () => ({ keyword: 'x' }),
  'statuses.v1-filter.update': () => ({ phrase: 'x', context: ['home'] }),
  'statuses.filter-status.add': () => ({ status_id: things.open }),
  'accounts.list-member.add': () => ({ account_ids: [things.alice.id] }),
  'accounts.list-member.remove': () => ({ account_ids: [things.alice.id] }),
  'accounts.list.update': () => ({ title: 'x' }),
  'accounts.collection-item.add': () => ({ account_id: things.alice.id }),
  'admin.report.create': () => ({ account_id: things.alice.id }),
}

/** Addresses of a status of this server. */
const PATHS = ['/@alice/:id', '/ap/users/:author/statuses/:id', '/users/alice/statuses/:id', '/web/statuses/:id']

interface Case {
  operation: AnyOperation
  route: Route
  kind: string
  request(id: string): { path: string; body: Record<string, unknown> }
}

/** Parameters of a path with the words before each, without prefixes of versions. */
const parametersOf = (path: string): { name: string; noun: string }[] => {
  const found: { name: string; noun: string }[] = []
  let words: string[] = []
  for (const part of path
    .replace(':group_key', 'group')
    .replace(/^\/api\/(v\d(_alpha)?|web)/, '')
    .split('/')
    .filter(Boolean)) {
    const name = /:(\w+)/.exec(part)?.[1]
    if (name === undefined) words.push(part)
    else {
      found.push({ name, noun: words.join('/') })
      words = []
    }
  }
  return found
}
const kindOf = (noun: string): string | null => {
  if (NAMES[noun]) return NAMES[noun]
  return SHOWN.has(noun) ? null : noun
}
const fieldsOf = (operation: AnyOperation): string[] =>
  'shape' in operation.input ? Object.keys(operation.input.shape as object) : []

const casesOf = (operation: AnyOperation, route: Route): Case[] => {
  const parameters = parametersOf(route.path)
  const fill = (name: string | null, id: string) =>
    parameters.reduce((path, one) => {
      const account = one.name === 'username' ? 'alice' : things.alice.id
      const other = kindOf(one.noun) === 'statuses' ? things.open : account
      return path.replace(`:${one.name}`, one.name === name ? id : other)
    }, route.path)
  const body = () => BODIES[operation.name]?.() ?? {}
  const named = parameters.flatMap(({ name, noun }): Case[] => {
    const kind = kindOf(noun)
    return kind === null ? [] : [{ operation, route, kind, request: (id) => ({ path: fill(name, id), body: body() }) }]
  })
  const fields = fieldsOf(operation)
    .filter((field) => FIELDS[field] !== undefined && !parameters.some(({ name }) => name === field))
    .map(
      (field): Case => ({
        operation,
        route,
        kind: FIELDS[field] as string,
        request: (id) => ({
          path: fill(null, ''),
          body: { ...body(), [field]: field.endsWith('s') ? [id] : id },
        }),
      }),
    )
  const byQuery = BY_QUERY[operation.name]
  const query: Case[] =
    byQuery === undefined || parameters.length > 0
      ? []
      : [{ operation, route, kind: byQuery, request: (id) => ({ path: `${fill(null, '')}?id[]=${id}`, body: body() }) }]
  const addresses = operation.name === 'statuses.search.find' || operation.name === 'statuses.o-embed.show' ? PATHS : []
  const byAddress = addresses.map((address): Case => {
    const url = (id: string) =>
      encodeURIComponent(cluster.origin + address.replace(':author', things.alice.id).replace(':id', id))
    return {
      operation,
      route,
      kind: 'statuses',
      request: (id) => ({ path: `${route.path}?resolve=true&q=${url(id)}&url=${url(id)}`, body: {} }),
    }
  })
  return [...named, ...fields, ...query, ...byAddress]
}

const routes = routedOperations()
  .filter(({ viewer: { permission } }) => permission === undefined)
  .flatMap((operation) => operation.http.map((route) => ({ operation, route })))
const cases = routes.flatMap(({ operation, route }) => casesOf(operation, route))

/** An unused id with the same creation time. */
const absent = (id: string): string => String(BigInt(id) + 1n)

/** Client of a request: an account by its token, an anonymous client, or vera, who signs the request. */
type Client = string | null | RemoteActor

let asked = 0
const costOf = async (method: string, path: string, client: Client, body?: Record<string, unknown>) => {
  const id = `hidden-or-absent-${asked++}`
  const isSigned = typeof client === 'object' && client !== null
  const { result, cost, steps } = await meter.count(id, async () => {
    const { status, text } = isSigned
      ? await remote.fetch(cluster.origin + path, { as: client, headers: { 'x-request-id': id } })
      : await send(cluster, method, path, { token: client, body: method === 'GET' ? undefined : body, id })
    // A refused request may have started further requests that are still running.
    await new Promise((resolve) => setTimeout(resolve, 30))
    return { status, text }
  })
  return { status: result.status, text: result.text.replace(/hidden-or-absent-\d+/g, ''), steps, cost }
}
const stepsOf = async (one: Case, id: string, client: Client) => {
  const { path, body } = one.request(id)
  const { status, text, steps } = await costOf(one.route.method, path, client, body)
  return { status, text: text.replaceAll(id, 'ID'), steps }
}

/** Compares up to three times, because a first request fills caches, and requests are repeated on a busy machine. */
const compared = async <T>(hidden: () => Promise<T>, missing: () => Promise<T>): Promise<{ hidden: T; absent: T }> => {
  for (let tries = 1; ; tries++) {
    const both = { hidden: await hidden(), absent: await missing() }
    const equal = JSON.stringify(both.hidden) === JSON.stringify(both.absent)
    if (equal || tries === 3) return both
  }
}
const compare = (one: Case, id: string, client: Client) =>
  compared(
    () => stepsOf(one, id, client),
    () => stepsOf(one, absent(id), client),
  )

/** True for routes whose response does not depend on the viewer. */
const isAnonymous = ({ operation, route }: Case): boolean =>
  !route.path.startsWith('/api/') || operation.name === 'statuses.o-embed.show'

/** Operations that succeed without the object: with an empty list, or a record without it. */
const ANSWERS = new Set(['statuses.status.list', 'statuses.search.find', 'admin.report.create'])
/** Operations that refuse the request with the name of the field. */
const REFUSES = new Set(['statuses.filter-status.add', 'statuses.status.create', 'accounts.list-member.add'])

test.each(cases.map((one) => [`${one.route.method} ${one.route.path}`, one.kind, one] as const))(
  '%s costs the same for hidden and for absent %s',
  async (_name, kind, one) => {
    for (const [what, id] of Object.entries(things.hidden[kind] ?? {})) {
      for (const token of [things.viewer.token, null]) {
        if (token === null && one.operation.viewer.kind !== 'optional') continue
        if (what === BLOCKED && (token === null || isAnonymous(one))) continue
        const both = await compare(one, id, token)
        expect(both.hidden, `${what}${token ? '' : ', anonymous'}`).toEqual(both.absent)
        const refused = ANSWERS.has(one.operation.name)
          ? [200, 401, 404]
          : REFUSES.has(one.operation.name)
            ? [404, 422]
            : [404]
        expect(refused).toContain(both.hidden.status)
        // Only search by address makes no request for anonymous viewers.
        if (both.hidden.status !== 401) expect(both.hidden.steps.length).toBeGreaterThan(0)
      }
    }
  },
)

const documents = cases.filter(({ route }) => route.method === 'GET' && /^\/(?:ap|users)\//.test(route.path))
test.each(documents.map((one) => [one.route.path, one.kind, one] as const))(
  'GET %s costs the same for hidden and for absent %s if another server signs the request',
  async (_name, kind, one) => {
    for (const [what, id] of Object.entries(things.hidden[kind] ?? {})) {
      if (what === BLOCKED) continue
      const both = await compare(one, id, vera)
      expect(both.hidden, what).toEqual(both.absent)
      expect(both.hidden.status).toBe(404)
      expect(both.hidden.steps.length).toBeGreaterThan(0)
    }
  },
)

test('the relationship of the actor that signed a request is read', async () => {
  const path = `/ap/users/${things.alice.id}/statuses/${things.open}/likes`
  const { status, steps } = await costOf('GET', path, vera)
  expect([status, steps]).toEqual([200, expect.arrayContaining(['rpc.accounts.graph.viewer-facts'])])
})

test('a thread costs the same with a hidden reply and without a reply', async () => {
  const { withHiddenReply, withoutReply } = things.threads
  const thread = (id: string) => () => costOf('GET', `/api/v1/statuses/${id}/context`, things.viewer.token)
  const both = await compared(thread(withHiddenReply), thread(withoutReply))
  expect(both.hidden).toEqual(both.absent)
  expect(JSON.parse(both.hidden.text)).toEqual({ ancestors: [], descendants: [] })
  const { text } = await send(cluster, 'GET', `/api/v1/statuses/${withHiddenReply}/context`, {
    token: things.bob.token,
  })
  expect(JSON.parse(text)).toMatchObject({ descendants: [{ visibility: 'private' }] })
})

test('search by address costs the same for a hidden status of another server and for a missing one', async () => {
  const uri = `${vera.id}/statuses/1`
  const bob = `${cluster.origin}/ap/users/${things.bob.id}`
  const note = makeNote(vera, uri, 'for bob', {
    to: [bob],
    cc: [],
    tag: [{ type: 'Mention', href: bob, name: '@bob' }],
  })
  await remote.send(makeActivity(vera, 'Create', note), `${cluster.origin}/inbox`, { as: vera })
  await cluster.waitForIdle()
  expect(await cluster.db('statuses').rows(sql`select 1 from post_uris where uri = ${uri}`)).toHaveLength(1)
  const search = (address: string) => async () => {
    const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(address)}`
    const { steps, ...rest } = await costOf('GET', path, things.viewer.token)
    return { ...rest, requests: steps.filter((step) => step.startsWith('rpc.')) }
  }
  const both = await compared(search(uri), search(`${uri}0`))
  expect(both.hidden).toEqual(both.absent)
  expect(JSON.parse(both.hidden.text)).toMatchObject({ accounts: [], statuses: [] })
})

test('each parameter and field that identifies an object is in the table', () => {
  const nouns = routes.flatMap(({ route }) => parametersOf(route.path).map(({ noun }) => kindOf(noun)))
  const kinds = new Set([...nouns, ...Object.values(FIELDS)].filter((kind) => kind !== null))
  expect([...kinds].filter((kind) => !(kind in things.hidden))).toEqual([])
  for (const ids of Object.values(things.hidden)) for (const id of Object.values(ids)) expect(id).toMatch(/^\d+$/)
  const fields = routes.flatMap(({ operation }) => fieldsOf(operation).filter((field) => /_ids?$/.test(field)))
  const parameters = routes.flatMap(({ route }) => parametersOf(route.path).map(({ name }) => name))
  const unknown = fields.filter(
    (field) => FIELDS[field] === undefined && !PLAIN_FIELDS.has(field) && !parameters.includes(field),
  )
  expect([...new Set(unknown)]).toEqual([])
})
