/** Endpoints for web clients with a browser session: push subscriptions and stored settings. */
import { app as accounts } from '@murmuration/accounts'
import { followCreated } from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Browser, openBrowser } from '@murmuration/testkit/browser/forms'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webPush from 'web-push'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, PASSWORD, startHarness } from './harness.js'

let harness: Harness
let service: PushService
let browser: Browser
let proof: string
let alice: string
beforeAll(async () => {
  service = await startPushService()
  const vapid = webPush.generateVAPIDKeys()
  harness = await startHarness(
    {
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
    },
    [gateway, accounts, statuses, media, notifications, federation],
  )
  await harness.createAccount('alice')
  await harness.createAccount('bob')
  browser = openBrowser({ follows: (url) => url.origin === harness.origin })
  await browser.get(`${harness.origin}/settings`)
  const form = browser.page().forms.find((one) => one.action.endsWith('/auth/sign_in'))
  if (!form) throw new Error('no form to sign in')
  await browser.submit(form, { fields: { 'user[email]': 'alice@mail.example', 'user[password]': PASSWORD } })
  proof = /name="authenticity_token" value="([\w-]+)"/.exec(browser.page().html)?.[1] ?? ''
  alice = await idOf('alice')
})
afterAll(async () => {
  await harness.stop()
  await service.close()
})

const idOf = async (name: string) =>
  (await harness.http(`/api/v1/accounts/lookup?acct=${name}`)).json<{ id: string }>().id
const send = (method: string, path: string, json: object, headers: Record<string, string> = {}) =>
  harness.http(path, {
    method,
    json,
    headers: { cookie: browser.cookies.header(new URL(harness.origin)) ?? '', 'x-csrf-token': proof, ...headers },
  })
const storedSettings = () => harness.db('accounts').rows(sql`select data from web_settings where account_id = ${alice}`)

test('requests without a CSRF token, without a session, or from another site change nothing', async () => {
  const data = { data: { theme: 'dark' } }
  const foreign: Record<string, string>[] = [
    { 'x-csrf-token': 'wrong' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    const answer = await send('PUT', '/api/web/settings', data, headers)
    expect([answer.status, answer.json().error]).toEqual([422, "Can't verify CSRF token authenticity."])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
  const odd = { ...data, authenticity_token: { toString: 1 } }
  expect((await send('PUT', '/api/web/settings', odd)).status).toBe(422)
  const token = await harness.createAccount('carol')
  const bearer = await harness.http('/api/web/settings', { method: 'PUT', json: data, token })
  expect(bearer.status).toBe(422)
  expect(await storedSettings()).toEqual([])
  const visitor = openBrowser()
  await visitor.get(`${harness.origin}/auth/sign_in`)
  const own = /name="authenticity_token" value="([\w-]+)"/.exec(visitor.page().html)?.[1] ?? ''
  const nobody = await send('PUT', '/api/web/settings', data, {
    cookie: visitor.cookies.header(new URL(harness.origin)) ?? '',
    'x-csrf-token': own,
  })
  expect([nobody.status, nobody.json().error]).toEqual([422, 'This method requires an authenticated user'])
})

test('settings of a web client are stored unchanged, up to 65,536 bytes', async () => {
  expect((await send('PUT', '/api/web/settings', { data: { theme: 'dark' } })).json()).toEqual({})
  expect((await send('PATCH', '/api/web/settings', { data: { columns: [{ id: 'HOME' }] } })).status).toBe(200)
  expect(await storedSettings()).toEqual([{ data: { columns: [{ id: 'HOME' }] } }])
  const none = await send('PUT', '/api/web/settings', {})
  expect([none.status, none.json().error]).toEqual([400, 'param is missing or the value is empty or invalid: data'])
  const large = await send('PUT', '/api/web/settings', { data: { x: 'y'.repeat(66_000) } })
  expect([large.status, large.json().error]).toEqual([
    422,
    'Validation failed: Data is too long (maximum is 65536 bytes)',
  ])
  expect((await send('PUT', '/api/web/settings', { data: { x: 'y'.repeat(140_000) } })).status).toBe(413)
})

test('S-190 a browser gets push notifications until its session ends', async () => {
  const subscription = { ...service.subscribe(), standard: true }
  const made = await send('POST', '/api/web/push_subscriptions', {
    subscription,
    data: { alerts: { follow: true }, policy: 'none' },
  })
  expect([made.status, made.json()]).toEqual([
    200,
    expect.objectContaining({
      endpoint: subscription.endpoint,
      standard: true,
      alerts: { follow: true },
      policy: 'none',
    }),
  ])
  const { id } = made.json<{ id: string }>()
  expect((await send('PUT', '/api/web/push_subscriptions/999', { data: {} })).status).toBe(404)
  const changed = await send('PUT', `/api/web/push_subscriptions/${id}`, { data: { alerts: { follow: '1' } } })
  expect(changed.json()).toMatchObject({ id, alerts: { follow: true }, policy: 'all' })
  const bob = await idOf('bob')
  const owner = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const follow = (n: string) =>
    owner?.db.tx((tx) =>
      owner.announce(tx, followCreated, {
        ...{ id: n, from: bob, to: alice, fromLocal: true, toLocal: true, uri: null, accepted: false },
      }),
    )
  await follow('1')
  const push = await service.pushes.next()
  expect(JSON.parse(push.payload)).toMatchObject({ notification_type: 'follow', access_token: '' })
  await harness.db('accounts').run(sql`delete from sessions`)
  await follow('2')
  await harness.waitForIdle()
  expect(service.pushes.all).toHaveLength(1)
  expect(await harness.db('notifications').rows(sql`select id from push_subscriptions`)).toEqual([])
})
