/** The command that encrypts stored secrets again after a change of SECRET_KEY_BASE, on running services. */
import { createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import {
  beginOneTimeCode,
  confirmOneTimeCode,
  createAccountByOperator,
  createFollow,
  finishSignIn,
  removeFollow,
  renewAccountSecrets,
  signInUser,
  signingKey,
} from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  createWebhook,
  showWebhook,
  testWebhook,
  undoAuditLogEntry,
  updateWebhook,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { createPushSubscription, renewPushSecrets } from '@murmuration/contracts/notifications'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { type Sql, sql } from '@murmuration/db'
import { secretCipherFor } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { type Received, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { secretsOf } from '../lib/secrets.mjs'
import { runWords } from './command-line.js'

const INSTANCE_ACTOR = '-99'
const PREVIOUS = 'the base before, of more than thirty-two characters'
const LOST = 'a lost base, also of more than thirty-two characters'
const password = 'correct horse battery'
const from = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 test' }

let cluster: Cluster
let operator: Operator
let pushes: PushService
let listener: WebServer
const received: Received[] = []
let alice: Viewer
let bob: Viewer
let owner: Viewer
beforeAll(async () => {
  pushes = await startPushService()
  listener = await serve((request) => {
    received.push(request)
    return { status: 200 }
  })
  const { VAPID_PUBLIC_KEY = '', VAPID_PRIVATE_KEY = '' } = secretsOf(mkdtempSync(join(tmpdir(), 'secrets-')))
  cluster = await startCluster({
    apps: [accounts, admin, media, notifications, statuses],
    env: {
      ...{ MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY },
      SECRET_KEY_BASE_PREVIOUS: PREVIOUS,
    },
  })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  const make = async (username: string, more: Partial<Viewer> = {}) => {
    const input = { username, email: `${username}@mail.example`, confirmed: true, password }
    return viewer((await cluster.call(createAccountByOperator, input)).id, more)
  }
  alice = await make('alice')
  bob = await make('bob')
  owner = await make('olga', { permissions: ALL_PERMISSIONS, position: 1_000 })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
  await Promise.all([pushes.close(), listener.close()])
})

const ctl = (...words: string[]) => runWords(operator, 'secrets', 'renew', ...words)
const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now(),
  })

interface Column {
  service: string
  purpose: string
  rows: Sql
  write(id: string, text: string): Sql
}
const COLUMNS: Column[] = [
  {
    service: 'accounts',
    purpose: 'sealed keys',
    rows: sql`select account_id as id, 'signing key of ' || account_id as about, private_sealed as text from keys`,
    write: (id, text) => sql`update keys set private_sealed = ${text} where account_id = ${id}`,
  },
  {
    service: 'accounts',
    purpose: 'sealed keys',
    rows: sql`select user_id as id, 'one-time code ' || user_id as about, secret_sealed as text from one_time_codes`,
    write: (id, text) => sql`update one_time_codes set secret_sealed = ${text} where user_id = ${id}`,
  },
  {
    service: 'notifications',
    purpose: 'notifications:push-token',
    rows: sql`select id, token_id::text as about, token_sealed as text from push_subscriptions`,
    write: (id, text) => sql`update push_subscriptions set token_sealed = ${text} where id = ${id}`,
  },
]
const cipherOf = (secretKeyBase: string, purpose: string) => secretCipherFor({ secretKeyBase }, purpose)
/** Encrypts all secrets of a column as a server with another base did. */
const storeWith = async (base: string, { service, purpose, rows, write }: Column): Promise<void> => {
  const db = cluster.db(service)
  const stored = await db.rows<{ id: string; about: string; text: string }>(rows)
  const current = cipherOf(cluster.env.SECRET_KEY_BASE ?? '', purpose)
  await Promise.all(
    stored.map((row) =>
      db.run(write(row.id, cipherOf(base, purpose).encrypt(current.decrypt(row.text, row.about), row.about))),
    ),
  )
}
/** The same for the secret of a webhook. Its copies for undo are equal to it. */
const storeWebhookWith = async (base: string, id: string): Promise<void> => {
  const db = cluster.db('admin')
  const row = await db.row<{ secret: string }>(sql`select secret from webhooks where id = ${id}`)
  const purpose = 'admin:webhook-secrets'
  const plain = cipherOf(cluster.env.SECRET_KEY_BASE ?? '', purpose).decrypt(row?.secret ?? '', id)
  const text = cipherOf(base, purpose).encrypt(plain, id)
  await db.run(sql`update webhooks set secret = ${text} where id = ${id}`)
  await db.run(sql`update audit_hidden set before = jsonb_set(before, '{secret}', to_jsonb(${text}::text)),
    after = jsonb_set(after, '{secret}', to_jsonb(${text}::text))`)
}

test('D022 secrets of the previous base are read, encrypted again, and then need the current base only', async () => {
  const { session } = await cluster.call(signInUser, { email: 'alice@mail.example', password, ...from })
  const { secret: codeSecret } = await cluster.call(beginOneTimeCode, { session: session ?? '', password })
  await cluster.call(confirmOneTimeCode, { session: session ?? '', code: codeOf(codeSecret) })
  await cluster.call(
    createPushSubscription,
    {
      subscription: { ...pushes.subscribe(), standard: true },
      data: { alerts: { follow: true } },
      access_token: 'the token',
    } as never,
    { viewer: alice, app: { id: '1', tokenId: '7', scopes: ['push'] } },
  )
  const hook = await cluster.call(
    createWebhook,
    { url: `${listener.origin}/hook`, events: ['status.created'] } as never,
    owner,
  )
  await cluster.call(updateWebhook, { id: hook.id, template: '{"a":1}' } as never, owner)
  await cluster.waitForIdle()
  const keys = () => cluster.call(signingKey, { ids: [alice.id, INSTANCE_ACTOR] })
  const before = await keys()
  await Promise.all(COLUMNS.map((column) => storeWith(PREVIOUS, column)))
  await storeWebhookWith(PREVIOUS, hook.id)

  const expectAllToWork = async () => {
    expect(await keys()).toEqual(before)
    await cluster.db('accounts').run(sql`update one_time_codes set last_step = 0`)
    const { proof } = await cluster.call(signInUser, { email: 'alice@mail.example', password, ...from })
    const given = { proof: proof ?? '', code: codeOf(codeSecret), credential: null, ...from }
    expect((await cluster.call(finishSignIn, given)).state).toBe('signed-in')
    expect((await cluster.call(showWebhook, { id: hook.id }, owner)).secret).toBe(hook.secret)
    received.length = 0
    expect(await cluster.call(testWebhook, { id: hook.id }, owner)).toMatchObject({ delivered: true })
    const digest = createHmac('sha256', hook.secret ?? '').update(received[0]?.body ?? '')
    expect(received[0]?.headers['x-hub-signature']).toBe(`sha256=${digest.digest('hex')}`)
    await cluster.call(createFollow, { id: alice.id }, bob)
    expect(JSON.parse((await pushes.pushes.next()).payload).access_token).toBe('the token')
    await cluster.call(removeFollow, { id: alice.id }, bob)
    await cluster.waitForIdle()
  }
  await expectAllToWork()
  // Two signing keys, an authenticator secret, a push token, a webhook secret, and three copies of it for undo.
  const dry = await ctl('--dry-run')
  expect([dry.text, dry.error]).toEqual(['Would encrypt again 8 of 8 secrets, unreadable: 0', ''])
  expect((await ctl()).text).toBe(
    '8 of 8 secrets encrypted again, unreadable: 0\nSECRET_KEY_BASE_PREVIOUS is no longer needed.',
  )
  expect((await ctl()).text).toContain('0 of 8 secrets encrypted again, unreadable: 0')

  // Pages begin after a position.
  const from99 = await cluster.call(renewAccountSecrets, { after: `keys ${INSTANCE_ACTOR}`, dry_run: true })
  expect(from99).toMatchObject({ seen: 1, next: 'previous-keys ' })
  const none = { seen: 0, renewed: 0, unreadable: 0 }
  expect(await cluster.call(renewAccountSecrets, { after: 'previous-keys 1', dry_run: true })).toMatchObject(none)
  const last = '9000000000000000000'
  expect(await cluster.call(renewAccountSecrets, { after: `codes ${last}`, dry_run: true })).toEqual({
    ...none,
    next: null,
  })
  expect(await cluster.call(renewPushSecrets, { after: `tokens ${last}`, dry_run: true })).toEqual({
    ...none,
    next: null,
  })

  await cluster.host.stop()
  delete (cluster.env as Record<string, string>).SECRET_KEY_BASE_PREVIOUS
  await cluster.restart()
  await expectAllToWork()
  // Undo compares the secret with its copy.
  const entries = await cluster.call(browseAuditLog, { action: 'update_webhook' } as never, owner)
  await cluster.call(undoAuditLogEntry, { id: entries[0]?.id ?? '' }, owner)
  expect(await cluster.call(showWebhook, { id: hook.id }, owner)).toMatchObject({ template: null, secret: hook.secret })
})

test('secrets of another base are counted, and stay as they are', async () => {
  const [column] = COLUMNS
  await storeWith(LOST, column as Column)
  const { status, text } = await ctl()
  expect([status, text]).toEqual([1, expect.stringContaining('secrets encrypted again, unreadable: 2')])
  expect(text).toContain('2 cannot be read with SECRET_KEY_BASE or SECRET_KEY_BASE_PREVIOUS')
  const rows = await cluster.db('accounts').rows<{ id: string; about: string; text: string }>((column as Column).rows)
  const lost = cipherOf(LOST, 'sealed keys')
  expect(rows.filter((row) => lost.decryptOrNull(row.text, row.about) !== null)).toHaveLength(2)
})
