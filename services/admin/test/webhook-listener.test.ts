/** Webhooks whose listeners hang, redirect, respond slowly or at length, or close early, and webhooks that change during a delivery. */
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhookDeliveries,
  removeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
  undoAuditLogEntry,
  updateWebhook,
} from '@murmuration/contracts/admin'
import type { AdminWebhook } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { type Received, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { send } from '../src/webhook/jobs.js'

type Respond = (response: ServerResponse, request: Received) => void

let cluster: Cluster
let listener: WebServer
let ctx: Context
let owner: Viewer
let bob: Viewer
const received: Received[] = []
let respond: Respond

beforeAll(async () => {
  listener = await serve((request, { response }) => {
    received.push(request)
    respond(response, request)
    return undefined
  })
  cluster = await startCluster({
    apps: [app, accounts, media, statuses],
    env: { MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' },
  })
  ctx = cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context
  owner = viewer(await fakeAccount('olga'), { permissions: ALL_PERMISSIONS, position: 1_000 })
  bob = viewer(await fakeAccount('bob'))
  await cluster.waitForIdle()
})
afterAll(async () => {
  await cluster.stop()
  await listener.close()
})
beforeEach(async () => {
  // Deliveries of the previous test may end at the same time. A transaction is repeated after a deadlock.
  await cluster.db('admin').tx((tx) => tx.run(sql`delete from webhooks`))
  received.length = 0
  respond = (response) => response.writeHead(200).end()
})

const fakeAccount = async (username: string) =>
  (await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })).id
const hook = (more: object = {}): Promise<AdminWebhook> =>
  cluster.call(createWebhook, { url: `${listener.origin}/hook`, events: ['status.created'], ...more } as never, owner)
const deliveries = (id: string) => cluster.call(listWebhookDeliveries, { id } as never, owner)
const post = (status = 'hello') => cluster.call(createStatus, { status }, bob)
const last = async (id: string) => (await deliveries(id))[0]
/** Runs the job of the newest delivery again, as the queue does. */
const again = async (id: string, tries: number) =>
  send.run(ctx, { delivery: (await last(id))?.id ?? '' }, { id: 'x', tries })
const signature = (secret: string | null, body: string) =>
  `sha256=${createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')}`

test.each<[string, number, Respond]>([
  ['204 without a body', 204, (response) => response.writeHead(204).end()],
  ['a body of a megabyte', 200, (response) => response.writeHead(200).end('x'.repeat(1_048_576))],
  ['a body that never ends', 200, (response) => void response.writeHead(200).write('x')],
  [
    'a body with an unknown encoding',
    200,
    (response) => response.writeHead(200, { 'content-encoding': 'x-y' }).end('x'),
  ],
  [
    'a body that is cut',
    201,
    (response) => {
      response.writeHead(201, { 'content-length': '100' }).write('x')
      setTimeout(() => response.destroy(), 20)
    },
  ],
])('a success with %s is delivered once', async (_, status, answer) => {
  respond = answer
  const { id } = await hook()
  const began = performance.now()
  await post()
  await expect.poll(() => last(id)).toMatchObject({ state: 'delivered', tries: 1, status, error: null })
  expect(performance.now() - began).toBeLessThan(8_000)
  expect(received).toHaveLength(1)
  expect(await cluster.call(testWebhook, { id }, owner)).toMatchObject({ delivered: true, status })
})

test.each<[string, string, Respond]>([
  [
    'redirects to a private address',
    'HTTP 302',
    (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  ],
  [
    'redirects permanently',
    'HTTP 308',
    (response) => response.writeHead(308, { location: `${listener.origin}/elsewhere` }).end(),
  ],
  ['closes the connection', 'connect', (response) => void response.destroy()],
  ['responds with 500', 'HTTP 500', (response) => response.writeHead(500).end('x'.repeat(100_000))],
])('a listener that %s is asked again later, at the same address only', async (_, error, answer) => {
  respond = answer
  const { id } = await hook()
  await post()
  await expect.poll(() => last(id)).toMatchObject({ state: 'waiting', error })
  expect(new Set(received.map((one) => one.path))).toEqual(new Set(['/hook']))
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ last_error: error, paused_at: null })
})

test('a listener that does not respond is given up after the time limit, and does not delay other webhooks', async () => {
  const other = await serve(() => ({ status: 200 }))
  const slow = await hook({ url: `${listener.origin}/slow` })
  const fast = await hook({ url: `${other.origin}/fast` })
  respond = () => undefined
  for (let n = 0; n < 30; n++) await post(`post ${n}`)
  const delivered = async () => (await deliveries(fast.id)).filter((one) => one.state === 'delivered').length
  // The slow listener still has time to respond to its first deliveries.
  await expect.poll(delivered).toBe(30)
  const failed = async () => (await deliveries(slow.id)).filter((one) => one.error === 'timeout').length
  await expect.poll(failed).toBeGreaterThan(0)
  expect(new Set((await deliveries(slow.id)).map((one) => one.state))).toEqual(new Set(['waiting']))
  await other.close()
})

test('a listener that responds more slowly than posts are written receives all of them without a retry', async () => {
  const { id } = await hook({ url: `${listener.origin}/burst` })
  respond = (response) => setTimeout(() => response.writeHead(200).end(), 400).unref()
  for (let n = 0; n < 60; n++) await post(`burst ${n}`)
  const delivered = async () =>
    (
      await cluster.db('admin').row<{ count: number }>(sql`select count(*)::int as count from webhook_deliveries
        where webhook_id = ${id} and state = 'delivered'`)
    )?.count
  await expect.poll(delivered, { interval: 250 }).toBe(60)
  // The listener may also receive retries for the webhook of another test.
  expect(received.filter(({ path }) => path === '/burst')).toHaveLength(60)
})

test('a test request to a listener that does not respond ends before the request of the page', async () => {
  respond = (response) => {
    const { socket } = response
    socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    const timer = setInterval(() => (socket?.destroyed ? clearInterval(timer) : socket?.write('x')), 500)
  }
  const { id } = await hook()
  const began = performance.now()
  expect(await cluster.call(testWebhook, { id }, owner)).toMatchObject({ delivered: false, error: 'timeout' })
  expect(performance.now() - began).toBeLessThan(9_500)
})

test('a delivery that is repeated after a new secret is signed with the new one', async () => {
  respond = (response) => response.writeHead(503).end()
  const { id, secret } = await hook()
  await post()
  await expect.poll(() => last(id)).toMatchObject({ state: 'waiting' })
  const rotated = await cluster.call(rotateWebhookSecret, { id }, owner)
  respond = (response) => response.writeHead(200).end()
  await again(id, 2)
  // The queue may have repeated the delivery meanwhile.
  const signatures = received.map((one) => one.headers['x-hub-signature'])
  const body = received[0]?.body.toString() ?? ''
  expect([...new Set(signatures)]).toEqual([signature(secret, body), signature(rotated.secret, body)])
})

test('the secret may be replaced while a delivery is in progress', async () => {
  const waiting: (() => void)[] = []
  respond = (response) => void waiting.push(() => response.writeHead(200).end())
  const { id } = await hook()
  await post()
  await expect.poll(() => waiting.length).toBe(1)
  await Promise.all(Array.from({ length: 4 }, () => cluster.call(rotateWebhookSecret, { id }, owner)))
  waiting.splice(0).forEach((go) => {
    go()
  })
  await expect.poll(() => last(id)).toMatchObject({ state: 'delivered' })
})

test.each(['disabled', 'deleted', 'changed'])('a waiting delivery of a webhook that is %s meanwhile', async (how) => {
  respond = (response) => response.writeHead(503).end()
  const { id } = await hook()
  await post()
  await expect.poll(() => last(id)).toMatchObject({ state: 'waiting' })
  const delivery = (await last(id))?.id ?? ''
  if (how === 'disabled') await cluster.call(disableWebhook, { id }, owner)
  if (how === 'deleted') await cluster.call(removeWebhook, { id }, owner)
  if (how === 'changed') await cluster.call(updateWebhook, { id, url: `${listener.origin}/new` } as never, owner)
  respond = (response) => response.writeHead(200).end()
  received.length = 0
  await send.run(ctx, { delivery }, { id: 'x', tries: 2 })
  const [row] = await cluster.db('admin').rows(sql`select state, tries from webhook_deliveries where id = ${delivery}`)
  if (how === 'changed') {
    expect(row).toMatchObject({ state: 'delivered' })
    expect(received.map((one) => one.path)).toEqual(['/new'])
    return
  }
  expect([row, received]).toMatchObject([{ state: 'dropped' }, []])
  // A dropped delivery stays dropped.
  if (how === 'disabled') await cluster.call(enableWebhook, { id }, owner)
  if (how === 'deleted') {
    const [entry] = await cluster.call(browseAuditLog, { target_id: id, action: 'destroy_webhook' } as never, owner)
    await cluster.call(undoAuditLogEntry, { id: entry?.id ?? '' }, owner)
    expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ enabled: true })
  }
  await send.run(ctx, { delivery }, { id: 'x', tries: 3 })
  expect(received).toEqual([])
})

test.each(['disabled', 'deleted', 'changed'])(
  'a delivery that waits for a slot while its webhook is %s',
  async (how) => {
    const waiting: (() => void)[] = []
    respond = (response) => void waiting.push(() => response.writeHead(200).end())
    const { id } = await hook()
    // One delivery more than the webhook has slots.
    for (let n = 0; n < 5; n++) await post(`post ${n}`)
    await expect.poll(async () => [waiting.length, (await deliveries(id)).length]).toEqual([4, 5])
    // Lets the last delivery begin to wait for a slot.
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (how === 'disabled') await cluster.call(disableWebhook, { id }, owner)
    if (how === 'deleted') await cluster.call(removeWebhook, { id }, owner)
    if (how === 'changed') await cluster.call(updateWebhook, { id, url: `${listener.origin}/new` } as never, owner)
    respond = (response) => response.writeHead(200).end()
    for (const go of waiting) go()
    const states = async () =>
      (
        await cluster
          .db('admin')
          .rows<{ state: string }>(
            sql`select state from webhook_deliveries where webhook_id = ${id} order by state desc`,
          )
      ).map((row) => row.state)
    await expect
      .poll(states)
      .toEqual([how === 'changed' ? 'delivered' : 'dropped', ...Array.from({ length: 4 }, () => 'delivered')])
    expect(received.map((one) => one.path)).toEqual([
      ...Array.from({ length: 4 }, () => '/hook'),
      ...(how === 'changed' ? ['/new'] : []),
    ])
  },
)

test('a webhook that is deleted while a delivery is in progress leaves no failure', async () => {
  const waiting: (() => void)[] = []
  respond = (response) => void waiting.push(() => response.writeHead(500).end())
  const { id } = await hook()
  await post()
  await expect.poll(() => waiting.length).toBe(1)
  await cluster.call(removeWebhook, { id }, owner)
  waiting[0]?.()
  await expect
    .poll(
      async () =>
        (await cluster.db('admin').rows(sql`select state, tries from webhook_deliveries order by id desc limit 1`))[0],
    )
    .toMatchObject({ state: expect.stringMatching(/^(waiting|dropped)$/) })
  await expect(cluster.call(showWebhook, { id }, owner)).rejects.toMatchObject({ status: 404 })
})

test('a webhook is paused by the failure that ends a day of failures, and a resumed one starts a new day', async () => {
  respond = (response) => response.writeHead(500).end()
  const { id } = await hook()
  await post('one')
  await expect.poll(() => last(id)).toMatchObject({ tries: 1 })
  await cluster.db('admin').run(sql`update webhooks set failing_since = now() - interval '1 day' - interval '1 second'`)
  await post('two')
  await expect.poll(async () => (await cluster.call(showWebhook, { id }, owner)).paused_at).toEqual(expect.any(String))
  await cluster.call(updateWebhook, { id, enabled: true } as never, owner)
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ paused_at: null, failing_since: null })
  await post('three')
  await expect
    .poll(async () => (await cluster.call(showWebhook, { id }, owner)).failing_since)
    .toEqual(expect.any(String))
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ paused_at: null })
})

test('hostile templates are refused quickly, or stay within the limit of a request', async () => {
  for (const template of [
    `{{${' '.repeat(19_000)}`,
    `{{${'a '.repeat(9_000)}}}`,
    '{{'.repeat(9_000),
    '{{object}}'.repeat(2_000),
  ]) {
    const began = performance.now()
    await expect(hook({ template })).rejects.toMatchObject({ status: 422 })
    expect(performance.now() - began).toBeLessThan(5_000)
  }
  const { id } = await hook({
    template:
      '{"a":"{{object.content}}","b":{{object.constructor}},"c":{{__proto__}},"d":"$&{{event}}$1","e":{{object.account.fields}}}',
  })
  await post('"}\\ {{event}} </script> \u2028')
  await expect.poll(() => last(id)).toMatchObject({ state: 'delivered' })
  const body = JSON.parse(received[0]?.body.toString() ?? '')
  expect(body).toMatchObject({ b: null, c: null, d: '$&status.created$1', e: [] })
  expect(body.a).toContain('{{event}}')
})
