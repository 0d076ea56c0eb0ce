/** Webhooks with a real listener: every event, signatures, retries, the pause after a day, and management by staff. */
import { createHmac } from 'node:crypto'
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, updateCredentials } from '@murmuration/contracts/accounts'
import {
  createReport,
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhookDeliveries,
  listWebhooks,
  removeWebhook,
  resolveReport,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
  updateWebhook,
} from '@murmuration/contracts/admin'
import { type AdminWebhook, WebhookPayload } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS, permissionsOf } from '@murmuration/contracts/permissions'
import { createStatus, editStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { renewSecretPage, secretCipherFor } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'
import { send } from '../src/webhook/jobs.js'
import { webhookSecrets } from '../src/webhook/secret.store.js'
import { deleteWebhookDeliveries } from '../src/webhook/ticks.js'
import { expectGolden } from './golden.js'

const DAY_MS = 86_400_000
const PREVIOUS = 'the base before, of more than thirty-two characters'

let cluster: Cluster
let listener: WebServer
let ctx: Context
let owner: Viewer
let bob: Viewer
const received: Received[] = []
let answer: StubResponse = { status: 200 }

beforeAll(async () => {
  listener = await serve((request) => {
    received.push(request)
    return answer
  })
  cluster = await startCluster({
    apps: [app, accounts, media, statuses],
    env: { MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', SECRET_KEY_BASE_PREVIOUS: PREVIOUS },
  })
  ctx = cluster.host.running.find((one) => one.service === 'admin')?.ctx as Context
  owner = viewer(await fakeAccount('olga'), { permissions: ALL_PERMISSIONS })
  bob = viewer(await fakeAccount('bob'))
  await cluster.waitForIdle()
})
afterAll(async () => {
  await cluster.stop()
  await listener.close()
})
beforeEach(async () => {
  await cluster.waitForIdle()
  await cluster.db('admin').run(sql`delete from webhooks`)
  received.length = 0
  answer = { status: 200 }
})

const fakeAccount = async (username: string) =>
  (await cluster.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed: true })).id
const hook = (events: string[], more: object = {}): Promise<AdminWebhook> =>
  cluster.call(createWebhook, { url: `${listener.origin}/hook`, events, ...more } as never, owner)
const arrived = async (): Promise<WebhookPayload[]> => {
  await cluster.waitForIdle()
  return received.map((request) => WebhookPayload.parse(JSON.parse(request.body.toString())))
}
const signature = (secret: string | null, body: string) =>
  `sha256=${createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')}`
const deliveries = (id: string) => cluster.call(listWebhookDeliveries, { id } as never, owner)
/** Runs the job of the newest delivery again, as the queue does. */
const again = async (id: string, tries: number) => {
  const [delivery] = await deliveries(id)
  return send.run(ctx, { delivery: delivery?.id ?? '' }, { id: 'x', tries })
}

test('accounts are sent when they are created, approved and changed, signed with the secret', async () => {
  const { secret } = await hook(['account.created', 'account.approved', 'account.updated'])
  expect(secret).toMatch(/^[0-9a-f]{40}$/)
  const dora = await fakeAccount('dora')
  await cluster.waitForIdle()
  await cluster.call(updateCredentials, { display_name: 'Dora D.' } as never, viewer(dora))
  const bodies = await arrived()
  expect(bodies.map((one) => one.event)).toEqual(
    expect.arrayContaining(['account.created', 'account.approved', 'account.updated']),
  )
  expect(bodies[0]).toMatchObject({ object: { id: dora, username: 'dora', email: 'dora@mail.example' } })
  for (const request of received) {
    expect(request.method).toBe('POST')
    expect(request.headers['content-type']).toBe('application/json')
    expect(request.headers['x-hub-signature']).toBe(signature(secret, request.body.toString()))
  }
})

test('reports are sent when they are filed and resolved', async () => {
  await hook(['report.created', 'report.updated'])
  const { id } = await cluster.call(createReport, { account_id: owner.id, comment: 'rude' }, bob)
  await cluster.waitForIdle()
  await cluster.call(resolveReport, { id }, owner)
  const bodies = await arrived()
  expect(bodies.map((one) => [one.event, (one.object as { action_taken: boolean }).action_taken])).toEqual([
    ['report.created', false],
    ['report.updated', true],
  ])
  expect(bodies[0]).toMatchObject({ object: { id, comment: 'rude', account: { username: 'bob' } } })
})

test('public and unlisted statuses are sent when they are created and edited, others never', async () => {
  await hook(['status.created', 'status.updated'])
  const { id } = await cluster.call(createStatus, { status: 'hello' }, bob)
  await cluster.call(createStatus, { status: 'for followers', visibility: 'private' }, bob)
  await cluster.call(createStatus, { status: 'for @olga', visibility: 'direct' }, bob)
  await cluster.waitForIdle()
  await cluster.call(editStatus, { id, status: 'hello again' } as never, bob)
  const bodies = await arrived()
  expect(bodies.map((one) => [one.event, (one.object as { content: string }).content])).toEqual([
    ['status.created', '<p>hello</p>'],
    ['status.updated', '<p>hello again</p>'],
  ])
})

test('simultaneous statuses are each sent once', async () => {
  await hook(['status.created'])
  const texts = ['one', 'two', 'three', 'four']
  await Promise.all(texts.map((status) => cluster.call(createStatus, { status }, bob)))
  const sent = (await arrived()).map((one) => (one.object as { content: string }).content)
  expect(sent.toSorted()).toEqual(texts.map((text) => `<p>${text}</p>`).toSorted())
})

test('an event is sent once to each subscribed webhook, also if the bus redelivers it', async () => {
  const { id } = await hook(['status.created'])
  await hook(['report.created'])
  await hook(['status.created'], { enabled: false })
  await cluster.call(createStatus, { status: 'once' }, bob)
  await arrived()
  await cluster
    .db('statuses')
    .run(sql`update outbox set sent_at = null, replays = replays + 1 where subject = 'evt.statuses.status.created'`)
  expect(await arrived()).toHaveLength(1)
  expect(await deliveries(id)).toEqual([expect.objectContaining({ state: 'delivered', tries: 1, status: 200 })])
  await expectGolden('admin-webhook-delivery', (await deliveries(id))[0], cluster.origin, {
    delivery: (await deliveries(id))[0]?.id ?? '',
  })
})

test('a template changes the body, and the signature covers what is sent', async () => {
  const { secret } = await hook(['status.created'], {
    template: '{"text": "{{object.account.acct}}: {{object.content}}"}',
  })
  await cluster.call(createStatus, { status: 'say "hi"' }, bob)
  await cluster.waitForIdle()
  const body = received[0]?.body.toString() ?? ''
  expect(JSON.parse(body)).toEqual({ text: 'bob: <p>say &quot;hi&quot;</p>' })
  expect(received[0]?.headers['x-hub-signature']).toBe(signature(secret, body))
})

test('a server error is retried, and a client error is final', async () => {
  const { id } = await hook(['status.created'])
  answer = { status: 503 }
  await cluster.call(createStatus, { status: 'later' }, bob)
  await expect.poll(() => received.length).toBe(1)
  await expect
    .poll(async () => (await deliveries(id))[0])
    .toMatchObject({ state: 'waiting', tries: 1, error: 'HTTP 503' })
  await expect(again(id, 2)).rejects.toMatchObject({ code: 'unavailable' })
  expect((await cluster.call(showWebhook, { id }, owner)).failing_since).toEqual(expect.any(String))
  answer = { status: 200 }
  await again(id, 3)
  expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered', tries: 3 })
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ failing_since: null, last_error: null })
  answer = { status: 410 }
  await cluster.call(createStatus, { status: 'gone' }, bob)
  await expect.poll(async () => (await deliveries(id))[0]).toMatchObject({ state: 'refused', tries: 1, status: 410 })
})

test('the sixteenth failed try is the last', async () => {
  const { id } = await hook(['status.created'])
  answer = { status: 500 }
  await cluster.call(createStatus, { status: 'never' }, bob)
  await expect.poll(async () => (await deliveries(id))[0]?.tries).toBe(1)
  await again(id, 16)
  expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', error: 'HTTP 500' })
})

test('a delivery whose job is given up has failed, and is sent by an operator only', async () => {
  const { id } = await hook(['status.created'])
  answer = { status: 503 }
  await cluster.call(createStatus, { status: 'given up' }, bob)
  await expect.poll(async () => (await deliveries(id))[0]?.tries).toBe(1)
  const [waiting] = await deliveries(id)
  const job = { delivery: waiting?.id ?? '' }
  for (let times = 0; times < 2; times++) await send.gaveUp?.(ctx, job, { id: 'x' })
  expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', tries: 1, error: 'HTTP 503' })
  answer = { status: 200 }
  await again(id, 2)
  expect((await deliveries(id))[0]).toMatchObject({ state: 'failed' })
  await send.run(ctx, send.restored?.(job), { id: 'x', tries: 1 })
  expect((await deliveries(id))[0]).toMatchObject({ state: 'delivered', tries: 2 })
})

test('the replay of a delivery that was deleted fails, so that the operator learns it', async () => {
  const job = { delivery: '1' }
  await send.run(ctx, job, { id: 'x', tries: 1 })
  await expect(async () => send.run(ctx, send.restored?.(job), { id: 'x', tries: 1 })).rejects.toThrow(
    'no longer exists',
  )
})

test('a webhook is paused after a day of failures, and enabling it ends the pause', async () => {
  const { id } = await hook(['status.created'])
  answer = { status: 500 }
  await cluster.call(createStatus, { status: 'one' }, bob)
  await expect.poll(async () => (await deliveries(id))[0]?.tries).toBe(1)
  await cluster.db('admin').run(sql`update webhooks set failing_since = now() - interval '25 hours'`)
  await expect(again(id, 2)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ enabled: true, paused_at: expect.any(String) })
  await again(id, 3)
  expect((await deliveries(id))[0]).toMatchObject({ state: 'dropped' })
  await cluster.call(createStatus, { status: 'two' }, bob)
  await cluster.waitForIdle()
  expect(await deliveries(id)).toHaveLength(1)
  answer = { status: 200 }
  expect(await cluster.call(enableWebhook, { id }, owner)).toMatchObject({ paused_at: null, failing_since: null })
  await cluster.call(createStatus, { status: 'three' }, bob)
  await expect.poll(async () => (await deliveries(id))[0]?.state).toBe('delivered')
})

test('a test request returns the response of the webhook', async () => {
  const { id, secret } = await hook(['status.created'])
  expect(await cluster.call(testWebhook, { id }, owner)).toMatchObject({ delivered: true, status: 200, error: null })
  expect(JSON.parse(received[0]?.body.toString() ?? '')).toMatchObject({ event: 'test', object: {} })
  expect(received[0]?.headers['x-hub-signature']).toBe(signature(secret, received[0]?.body.toString() ?? ''))
  answer = { status: 404 }
  expect(await cluster.call(testWebhook, { id }, owner)).toMatchObject({
    delivered: false,
    status: 404,
    error: 'HTTP 404',
  })
  expect(await cluster.call(showWebhook, { id }, owner)).toMatchObject({ failing_since: null })
  await expect(cluster.call(testWebhook, { id: '7' }, owner)).rejects.toMatchObject({ status: 404 })
})

test('A113 a webhook at a private address is refused at creation, and by the guarded client when sending', async () => {
  for (const url of ['http://10.0.0.1/', 'ftp://far.example/', 'not an address', ''])
    await expect(hook(['status.created'], { url })).rejects.toMatchObject({ status: 422 })
  const { id } = await hook(['status.created'])
  await cluster.db('admin').run(sql`update webhooks set url = 'http://10.0.0.1/'`)
  expect(await cluster.call(testWebhook, { id }, owner)).toMatchObject({ delivered: false, error: 'forbidden_address' })
})

test('staff creates, changes, disables and deletes webhooks, each in the audit log', async () => {
  const made = await hook(['account.created'])
  const { id } = made
  await expectGolden('admin-webhook', { ...made, url: 'https://hooks.example/', secret: 'x' }, cluster.origin, {
    webhook: id,
  })
  expect(await cluster.call(listWebhooks, {} as never, owner)).toEqual([made])
  const changed = await cluster.call(
    updateWebhook,
    { id, events: ['report.created'], template: '{{event}}' } as never,
    owner,
  )
  expect(changed).toMatchObject({ events: ['report.created'], template: '{{event}}', secret: made.secret })
  expect((await cluster.call(rotateWebhookSecret, { id }, owner)).secret).not.toBe(made.secret)
  expect(await cluster.call(disableWebhook, { id }, owner)).toMatchObject({ enabled: false })
  await cluster.call(testWebhook, { id }, owner)
  await cluster.call(updateWebhook, { id, url: `${listener.origin}/path?token=hidden` } as never, owner)
  const limited = { ...owner, permissions: permissionsOf('manage_webhooks', 'manage_users') }
  await expect(cluster.call(updateWebhook, { id, events: ['status.created'] } as never, limited)).rejects.toMatchObject(
    { status: 422 },
  )
  // This role may not see reports, which the webhook sends. So it may not change the URL or template.
  for (const change of [{ url: 'https://elsewhere.example/' }, { template: '{{event}}!' }, { enabled: true }])
    await expect(cluster.call(updateWebhook, { id, ...change } as never, limited)).rejects.toMatchObject({
      status: 422,
    })
  await expect(cluster.call(enableWebhook, { id }, limited)).rejects.toMatchObject({ status: 422 })
  await expect(cluster.call(rotateWebhookSecret, { id }, limited)).rejects.toMatchObject({ status: 422 })
  expect(await cluster.call(showWebhook, { id }, limited)).toMatchObject({ id, secret: null })
  expect(await cluster.call(listWebhooks, {} as never, limited)).toMatchObject([{ id, secret: null }])
  await expect(cluster.call(updateWebhook, { id, template: '{{' } as never, owner)).rejects.toMatchObject({
    status: 422,
  })
  expect(await cluster.call(removeWebhook, { id }, owner)).toEqual({})
  await expect(cluster.call(showWebhook, { id }, owner)).rejects.toMatchObject({ status: 404 })
  const log = await cluster
    .db('admin')
    .rows<{ action: string; actor_id: string; target: string; after: unknown }>(
      sql`select action, actor_id, target, before, after from audit_log where target_id = ${id} order by audit_log.id`,
    )
  expect(log.map((row) => row.action)).toEqual([
    'create_webhook',
    'update_webhook',
    'rotate_secret_webhook',
    'disable_webhook',
    'test_webhook',
    'update_webhook',
    'destroy_webhook',
  ])
  expect(log.map((row) => row.actor_id)).toEqual(log.map(() => owner.id))
  expect(log[4]?.after).toEqual({ delivered: true, status: 200, error: null })
  expect(log[1]?.after).toMatchObject({ template_changed: true })
  expect(log[5]?.after).toMatchObject({ host: new URL(listener.origin).host, url_changed: true })
  expect(new Set(log.map((row) => row.target))).toEqual(new Set([new URL(listener.origin).host]))
  expect(JSON.stringify(log)).not.toMatch(/token=hidden|\/hook|\{\{event/)
  expect(JSON.stringify(log)).not.toContain(made.secret)
})

test('D022 the database contains no secret in plain text', async () => {
  const { secret } = await hook(['account.created'])
  const rows = await cluster.db('admin').rows(sql`select * from webhooks`)
  expect(JSON.stringify(rows)).not.toContain(secret)
})

/** Stores the secret of a webhook as a server with another SECRET_KEY_BASE encrypted it. */
const storeWith = (secretKeyBase: string, { id, secret }: AdminWebhook) => {
  const text = secretCipherFor({ secretKeyBase }, 'admin:webhook-secrets').encrypt(secret ?? '', id)
  return cluster.db('admin').run(sql`update webhooks set secret = ${text} where id = ${id}`)
}

test('D022 a secret of the base before SECRET_KEY_BASE was changed still signs', async () => {
  const made = await hook(['status.created'])
  await storeWith(PREVIOUS, made)
  expect((await cluster.call(showWebhook, { id: made.id }, owner)).secret).toBe(made.secret)
  await cluster.call(createStatus, { status: 'signed' }, bob)
  await cluster.waitForIdle()
  const hash = createHmac('sha256', made.secret ?? '').update(received[0]?.body ?? '')
  expect(received[0]?.headers['x-hub-signature']).toBe(`sha256=${hash.digest('hex')}`)
})

test('pages of secrets begin after a position, also those that are stored for undo', async () => {
  const made = await hook(['status.created'])
  await storeWith(PREVIOUS, made)
  await cluster.call(updateWebhook, { id: made.id, template: '{"a":1}' } as never, owner)
  const renew = (after: string) =>
    renewSecretPage(ctx.webhooks.secretCipher, webhookSecrets(cluster.db('admin')), { after, dryRun: false })
  const row = await cluster.db('admin').row<{ id: string }>(sql`select max(entry_id) as id from audit_hidden`)
  const counts = { seen: 1, renewed: 1, unreadable: 0 }
  expect(await renew('')).toEqual({ ...counts, next: 'undo-before ' })
  const previous = String(BigInt(row?.id ?? '0') - 1n)
  expect(await renew(`undo-before ${previous}`)).toEqual({ ...counts, next: 'undo-after ' })
  expect(await renew(`undo-after ${previous}`)).toEqual({ ...counts, next: null })
  expect(await renew(`undo-after ${row?.id}`)).toEqual({ seen: 0, renewed: 0, unreadable: 0, next: null })
  expect(await renew(`webhooks ${made.id}`)).toEqual({ seen: 0, renewed: 0, unreadable: 0, next: 'undo-before ' })
})

test('a webhook with an unreadable secret is listed, says why it sends nothing, and gets a new secret', async () => {
  const made = await hook(['status.created'])
  await storeWith('a lost base, also of more than thirty-two characters', made)
  expect(await cluster.call(listWebhooks, {} as never, owner)).toMatchObject([{ id: made.id, secret: null }])
  expect(await cluster.call(testWebhook, { id: made.id }, owner)).toMatchObject({
    delivered: false,
    status: null,
    error: 'unreadable_secret',
  })
  await cluster.call(createStatus, { status: 'not signed' }, bob)
  const deliveries = () => cluster.call(listWebhookDeliveries, { id: made.id } as never, owner)
  await expect.poll(deliveries).toMatchObject([{ state: 'waiting', error: 'unreadable_secret' }])
  expect(received).toEqual([])
  const { secret } = await cluster.call(rotateWebhookSecret, { id: made.id }, owner)
  expect(secret).not.toBeNull()
  expect(await cluster.call(testWebhook, { id: made.id }, owner)).toMatchObject({ delivered: true })
})

test('admin.forget-webhook-deliveries deletes deliveries after a week', async () => {
  const { id } = await hook(['status.created'])
  await cluster.call(createStatus, { status: 'old' }, bob)
  await arrived()
  await cluster
    .db('admin')
    .run(sql`update webhook_deliveries set created_at = ${new Date(Date.now() - 7 * DAY_MS + 60_000)}`)
  await deleteWebhookDeliveries.run(ctx)
  expect(await deliveries(id)).toHaveLength(1)
  await cluster
    .db('admin')
    .run(sql`update webhook_deliveries set created_at = ${new Date(Date.now() - 7 * DAY_MS - 60_000)}`)
  await deleteWebhookDeliveries.run(ctx)
  expect(await deliveries(id)).toEqual([])
})
