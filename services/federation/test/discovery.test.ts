/** WebFinger, host-meta and NodeInfo over HTTP: content, media types and cache headers. */

import { writeHostMeta } from '@murmuration/activitypub/vocabulary/write-webfinger'
import { HostMeta, NodeInfo, NodeInfoDiscovery, WebFinger } from '@murmuration/contracts/entities'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let alice: Awaited<ReturnType<Harness['createAccount']>>
let host: string
beforeAll(async () => {
  harness = await startHarness()
  alice = await harness.createAccount('alice')
  const write = (status: object) => harness.call(createStatus, status as never, alice)
  const { id } = await write({ status: 'first' })
  await write({ status: 'second', in_reply_to_id: id })
  host = new URL(harness.origin).host
})
afterAll(() => harness.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${harness.origin}${path}`, { headers, redirect: 'manual' })
const finger = (resource: string) => get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

test('a handle with any capitalisation, with or without acct, returns the actor', async () => {
  for (const resource of [
    `acct:alice@${host}`,
    `ALICE@${host}`,
    `@alice@${host}`,
    alice.uri,
    `${harness.origin}/@alice`,
    `${harness.origin}/users/alice`,
    ...[
      '/@%61lice',
      '/%40alice',
      '/users/%61lice',
      '/users/alic%65/',
      '/web/@alice',
      '/web/%40alice/',
      '/%75sers/alice',
    ].map((path) => `${harness.origin}${path}`),
    ...['?x=1', '#me', '/'].map((end) => `${harness.origin}/@ali%63e${end}`),
    `${harness.origin.toUpperCase()}/@%61lice`,
    alice.uri.replace(/\d$/, (digit) => `%3${digit}`),
    `${alice.uri}/`,
    `acct:%61lice@${host}`,
    `acct:alice%40${host}`,
    `%61lice@${host}`,
  ]) {
    const answer = await finger(resource)
    expect(answer.status, resource).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/jrd+json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('max-age=259200, public')
    const jrd = WebFinger.parse(await answer.json())
    expect(jrd.subject).toBe(`acct:alice@${host}`)
    expect(jrd.links).toContainEqual({ rel: 'self', type: 'application/activity+json', href: alice.uri })
    expect(jrd.aliases).toEqual([`${harness.origin}/@alice`, alice.uri])
  }
})

test('the instance actor is found by the handle DOMAIN@DOMAIN and by its addresses', async () => {
  for (const resource of [`acct:${host}@${host}`, `${harness.origin}/actor`, harness.origin, `${harness.origin}/`]) {
    const jrd = WebFinger.parse(await (await finger(resource)).json())
    expect(jrd.links).toContainEqual({
      rel: 'self',
      type: 'application/activity+json',
      href: `${harness.origin}/actor`,
    })
  }
})

test('queries about remote accounts return 404, and malformed ones 400', async () => {
  for (const [resource, status] of [
    [`acct:nobody@${host}`, 404],
    ['acct:alice@elsewhere.example', 404],
    ['https://elsewhere.example/@alice', 404],
    [`${harness.origin}/ap/users/1`, 404],
    [`${harness.origin}/web/users/alice`, 404],
    [`${harness.origin}/@alice%2F1`, 404],
    [`${harness.origin}/@alice%00`, 404],
    [`acct:al%20ice@${host}`, 400],
    ['nonsense', 400],
    ['', 400],
  ] as const) {
    const answer = await finger(resource)
    expect([resource, answer.status, answer.headers.get('cache-control')]).toEqual([
      resource,
      status,
      'max-age=180, public',
    ])
    expect(await answer.text()).toBe('')
  }
  const none = await get('/.well-known/webfinger')
  expect([none.status, none.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
  const asked = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:alice@${host}`)}`
  const { links } = (await (await get(`${asked}&rel=self`)).json()) as { links: { rel: string }[] }
  expect(links.map((it) => it.rel)).toEqual(['self'])
})

test('D069 XML responses are well-formed, whatever text they contain', async () => {
  const read = async (text: string) =>
    (
      await harness.db('federation').row<{ found: string[] }>(
        sql`select xpath('/x:XRD/x:Link[@rel="lrdd"]/@template', xmlparse(document ${text}),
          '{{x,http://docs.oasis-open.org/ns/xri/xrd-1.0}}')::text[] as found`,
      )
    )?.found
  const answer = await fetch(`${harness.origin}/.well-known/host-meta`)
  expect(answer.headers.get('content-type')).toMatch(/^application\/xrd\+xml/)
  expect(await read(await answer.text())).toEqual([`${harness.origin}/.well-known/webfinger?resource={uri}`])
  // Addresses are settings of the operator, but they are escaped all the same.
  expect(await read(writeHostMeta('https://a.example/"><Link rel="lrdd" template="x"/>&\u0026lt;'))).toHaveLength(1)
})

test('host-meta has the WebFinger template, as XML or as JSON', async () => {
  const xml = await get('/.well-known/host-meta')
  expect(xml.headers.get('content-type')).toBe('application/xrd+xml; charset=utf-8')
  expect(await xml.text()).toContain(`template="${harness.origin}/.well-known/webfinger?resource={uri}"`)
  for (const answer of [
    await get('/.well-known/host-meta.json'),
    await get('/.well-known/host-meta', { accept: 'application/json' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(HostMeta.parse(await answer.json()).links[0]).toMatchObject({ rel: 'lrdd' })
  }
})

test('S-003 S-215 S-029 S-030 S-031 S-032 S-033 S-034 S-035 S-036 S-037 S-038 S-042 S-043 S-044 NodeInfo has exactly what its schema allows', async () => {
  const answer = await get('/nodeinfo/2.0')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('profile="http://nodeinfo.diaspora.software/ns/schema/2.0#"')
  expect(answer.headers.get('cache-control')).toBe('max-age=1800, public')
  const info = NodeInfo.parse(await answer.json())
  expect(info).toMatchObject({
    version: '2.0',
    software: { name: 'murmuration', version: '4.6.0' },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: false,
    usage: { users: { total: 1, activeHalfyear: 1, activeMonth: 1 }, localPosts: 2, localComments: 1 },
    metadata: {
      nodeName: 'Murmuration',
      nodeDescription: '',
      upstream: { name: 'mastodon' },
      source: `${harness.origin}/about#source`,
    },
  })
})

const open = async () => NodeInfo.parse(await (await get('/nodeinfo/2.0')).json()).openRegistrations

test.each([
  ['open', true],
  ['none', false],
  ['approved', true],
] as const)('S-036 registrations that are %s are shown as %s', async (registrations_mode, expected) => {
  await harness.policy({ settings: { registrations_mode } })
  await expect.poll(open).toBe(expected)
})

test('S-201 NodeInfo counts users that were active in 30 and in 180 days', async () => {
  const activeAfter = async (days: number) => {
    const seen = sql`update users set active_at = now() - make_interval(days => ${days}) where account_id = ${alice.id}`
    await harness.db('accounts').run(seen)
    const { users } = NodeInfo.parse(await (await get('/nodeinfo/2.0')).json()).usage
    return [users.total, users.activeMonth, users.activeHalfyear]
  }
  expect(await activeAfter(29)).toEqual([1, 1, 1])
  expect(await activeAfter(31)).toEqual([1, 0, 1])
  expect(await activeAfter(181)).toEqual([1, 0, 0])
})

test('S-003 S-045 the discovery document links to NodeInfo 2.0 and to the instance actor', async () => {
  const answer = await get('/.well-known/nodeinfo')
  expect(answer.headers.get('cache-control')).toBe('max-age=259200, public')
  expect(NodeInfoDiscovery.parse(await answer.json()).links).toEqual([
    { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${harness.origin}/nodeinfo/2.0` },
    { rel: 'https://www.w3.org/ns/activitystreams#Application', href: `${harness.origin}/actor` },
  ])
})

test('S-036 a server with a single user has no open registrations, whatever staff set', async () => {
  const single = await startHarness({ SINGLE_USER_MODE: 'true' })
  await single.policy({ settings: { registrations_mode: 'open', site_title: 'Single' } })
  const read = async () => NodeInfo.parse(await (await fetch(`${single.origin}/nodeinfo/2.0`)).json())
  await expect.poll(async () => (await read()).metadata.nodeName).toBe('Single')
  expect((await read()).openRegistrations).toBe(false)
  await single.stop()
})
