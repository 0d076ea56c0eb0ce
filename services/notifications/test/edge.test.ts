/** Notifications over HTTP: forms of clients, Link headers, and the bearer token in push messages. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createFollow, createTokenByOperator } from '@murmuration/contracts/accounts'
import { app as gateway } from '@murmuration/gateway'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webPush from 'web-push'
import { app } from '../src/main.js'

let cluster: Cluster
let service: PushService
let token: string
let alice: string
const vapid = webPush.generateVAPIDKeys()
const fakeAccount = async (username: string) =>
  (await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })).id

beforeAll(async () => {
  service = await startPushService()
  cluster = await startCluster({
    apps: [gateway, accounts, statuses, app],
    env: {
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
    },
  })
  alice = await fakeAccount('alice')
  token = (await cluster.call(createTokenByOperator, { username: 'alice', scopes: 'read write push' })).token
})
afterAll(async () => {
  await cluster.stop()
  await service.close()
})

const request = (method: string, path: string, body?: string | Record<string, unknown>, as: string | null = token) =>
  fetch(`${cluster.origin}${path}`, {
    method,
    headers: {
      ...(as ? { authorization: `Bearer ${as}` } : {}),
      ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

test('S-017 S-102 a form subscribes, a message contains the bearer token, and its URL unsubscribes', async () => {
  const { endpoint, keys } = service.subscribe()
  const form = new URLSearchParams({
    'subscription[endpoint]': endpoint,
    'subscription[keys][p256dh]': keys.p256dh,
    'subscription[keys][auth]': keys.auth,
    'data[alerts][follow]': 'true',
    'data[alerts][mention]': '0',
    'data[policy]': 'all',
    access_token: 'not this one',
  })
  const made = await request('POST', '/api/v1/push/subscriptions', form.toString())
  expect(made.status).toBe(200)
  expect(await made.json()).toMatchObject({ endpoint, alerts: { follow: true, mention: false }, standard: false })
  expect((await request('GET', '/api/v1/push/subscription')).status).toBe(200)
  await cluster.call(createFollow, { id: alice }, viewer(await fakeAccount('bob')))
  await cluster.waitForIdle()
  const push = await service.pushes.next()
  expect(JSON.parse(push.payload)).toMatchObject({ access_token: token, title: 'bob is now following you' })
  const unsubscribe = String(push.headers['unsubscribe-url']).replace(/^https?:\/\/[^/]+/, '')
  const ended = await request('DELETE', unsubscribe, undefined, null)
  expect([ended.status, await ended.text()]).toEqual([200, ''])
  expect((await request('GET', '/api/v1/push/subscription')).status).toBe(404)
  expect((await request('PATCH', '/api/v1/push/subscription', { policy: 'none' })).status).toBe(404)
  expect((await request('DELETE', '/api/v1/push/subscription')).status).toBe(200)
})

test('push requires its scope, and a subscription', async () => {
  const other = (await cluster.call(createTokenByOperator, { username: 'alice', scopes: 'read' })).token
  expect((await request('GET', '/api/v1/push/subscription', undefined, other)).status).toBe(403)
  expect((await request('GET', '/api/v1/push/subscription', undefined, null)).status).toBe(401)
  const refused = await request('POST', '/api/v1/push/subscription', {})
  expect(refused.status).toBe(400)
  expect(((await refused.json()) as { error: string }).error).toBe(
    'param is missing or the value is empty or invalid: subscription',
  )
})

test('the links of a list contain its filters', async () => {
  await cluster.call(createFollow, { id: alice }, viewer(await fakeAccount('carol')))
  await cluster.waitForIdle()
  const list = await request('GET', '/api/v1/notifications?limit=1&types[]=follow&types[]=nonsense')
  const body = (await list.json()) as { id: string }[]
  expect(body).toHaveLength(1)
  const address = `${cluster.origin}/api/v1/notifications?limit=1&types[]=follow&types[]=nonsense`
  expect(decodeURIComponent(list.headers.get('link') ?? '')).toBe(
    `<${address}&max_id=${body[0]?.id}>; rel="next", <${address}&min_id=${body[0]?.id}>; rel="prev"`,
  )
  const groups = await request('GET', '/api/v2/notifications?limit=1&exclude_types[]=mention')
  expect(decodeURIComponent(groups.headers.get('link') ?? '')).toContain('limit=1&exclude_types[]=mention&max_id=')
})

test('routes with names take precedence over routes with ids', async () => {
  for (const path of [
    '/api/v1/notifications/unread_count',
    '/api/v2/notifications/unread_count',
    '/api/v1/notifications/policy',
    '/api/v2/notifications/policy',
    '/api/v1/notifications/requests',
    '/api/v1/notifications/requests/merged',
  ])
    expect((await request('GET', path)).status).toBe(200)
  expect((await request('GET', '/api/v1/notifications/424242')).status).toBe(404)
})

test('S-099 markers arrive in brackets', async () => {
  const set = await request('POST', '/api/v1/markers', 'home[last_read_id]=12&notifications[last_read_id]=3')
  expect(await set.json()).toMatchObject({ home: { last_read_id: '12', version: 1 }, notifications: { version: 1 } })
  const got = await request('GET', '/api/v1/markers?timeline[]=home')
  expect(Object.keys((await got.json()) as object)).toEqual(['home'])
})
