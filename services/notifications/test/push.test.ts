/** Web push from the subscription to the decrypted message, and the end of subscriptions. */
import { followCreated, tokenRevoked } from '@murmuration/contracts/accounts'
import type { Caller } from '@murmuration/contracts/kit'
import {
  changePushSubscription,
  createPushSubscription,
  deletePushSubscription,
  showPushSubscription,
  unsubscribePush,
} from '@murmuration/contracts/notifications'
import { statusCreated, statusDeleted } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { secretCipherFor } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { countFailure, deleteFailures } from '../src/push/store.js'
import { deleted, followed, posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB] = ['1', '2'] as const
const PREVIOUS = 'the base before, of more than thirty-two characters'
const vapid = webPush.generateVAPIDKeys()
let harness: Harness
let service: PushService
let next = 500
const fresh = () => String(++next)

beforeAll(async () => {
  service = await startPushService()
  harness = await startHarness({
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
    SECRET_KEY_BASE_PREVIOUS: PREVIOUS,
  })
  harness.fakeAccounts.set(ALICE, { id: ALICE, username: 'alice' })
  harness.fakeAccounts.set(BOB, { id: BOB, username: 'bob', display_name: 'Bob', note: '<p>Me</p>' })
})
afterAll(async () => {
  await harness.stop()
  await service.close()
})
beforeEach(async () => {
  service.repair()
  service.pushes.clear()
  harness.relationships.clear()
  await harness.cluster.db('notifications').run(sql`delete from push_subscriptions`)
})

/** Caller data of alice with one of her tokens. */
const by = (tokenId: string): Partial<Caller> => ({
  viewer: viewer(ALICE, { locale: 'de' }),
  app: { id: '1', tokenId, scopes: ['push'] },
})
const subscribe = (tokenId: string, more: object = {}, subscription = service.subscribe()) =>
  harness.cluster.call(
    createPushSubscription,
    {
      subscription: { ...subscription, standard: true },
      data: { alerts: { mention: true, follow: '1' } },
      access_token: `secret-${tokenId}`,
      ...more,
    },
    by(tokenId),
  )
const rows = () =>
  harness.cluster.db('notifications').rows<Record<string, unknown>>(sql`select * from push_subscriptions order by id`)
const mention = async (): Promise<string> => {
  const id = fresh()
  harness.texts.set(id, { id, author: BOB, text: 'Hello &amp; welcome', warning: '' })
  await harness.announce(statusCreated, posted(id, BOB, { mentions: [ALICE] }))
  return id
}

describe('S-017 S-102 a subscription', () => {
  test('is created, shown, changed and deleted only with its token', async () => {
    const given = service.subscribe()
    const made = await subscribe('7', {}, given)
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      endpoint: given.endpoint,
      standard: true,
      alerts: { mention: true, follow: true },
      policy: 'all',
      server_key: vapid.publicKey,
    })
    expect(await harness.cluster.call(showPushSubscription, {}, by('7'))).toEqual(made)
    const missing = { code: 'not_found', message: 'Not Found' }
    await expect(harness.cluster.call(showPushSubscription, {}, by('8'))).rejects.toMatchObject(missing)
    await expect(harness.cluster.call(changePushSubscription, {}, by('8'))).rejects.toMatchObject(missing)
    const changed = await harness.cluster.call(
      changePushSubscription,
      { data: { alerts: { poll: 'true', mention: 0 }, policy: 'follower' } },
      by('7'),
    )
    expect(changed).toEqual({ ...made, alerts: { poll: true, mention: false }, policy: 'follower' })
    expect(await harness.cluster.call(changePushSubscription, {}, by('7'))).toMatchObject({ alerts: {}, policy: 'all' })
    expect(await harness.cluster.call(deletePushSubscription, {}, by('7'))).toEqual({})
    expect(await harness.cluster.call(deletePushSubscription, {}, by('7'))).toEqual({})
    expect(await rows()).toEqual([])
  })

  test('replaces the earlier subscription of the token, with a new id', async () => {
    const first = await subscribe('7')
    const second = await subscribe('7', { policy: 'followed' })
    await subscribe('8')
    expect(second.id).not.toBe(first.id)
    expect(second.policy).toBe('followed')
    expect((await rows()).map((row) => row.token_id)).toEqual(['7', '8'])
  })

  test('the token is not readable in the database', async () => {
    await subscribe('7')
    expect(JSON.stringify(await rows())).not.toContain('secret-7')
  })

  test.each([
    ['nothing', { subscription: undefined }, 400, 'param is missing or the value is empty or invalid: subscription'],
    ['an empty one', { subscription: '' }, 400, 'param is missing or the value is empty or invalid: subscription'],
    ['no endpoint', { subscription: { keys: {} } }, 422, "Validation failed: Endpoint can't be blank"],
    ['a wrong policy', { policy: 'some' }, 422, 'Validation failed: Policy is not included in the list'],
  ])('%s is refused', async (_what, input, status, message) => {
    await expect(subscribe('7', input)).rejects.toMatchObject({ status, message })
    expect(await rows()).toEqual([])
  })

  test('A128 an endpoint without a public address is refused, and so are invalid keys', async () => {
    const good = service.subscribe()
    const refused = (subscription: object) => subscribe('7', { subscription })
    for (const endpoint of ['https://169.254.169.254/', 'http://10.0.0.1/push', 'ftp://push.example/', 'push'])
      await expect(refused({ ...good, endpoint })).rejects.toMatchObject({
        status: 422,
        message: 'Validation failed: Endpoint is not a valid URL',
      })
    await expect(refused({ ...good, keys: { ...good.keys, auth: 'short' } })).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: is not a valid Ed25519 or Curve25519 key',
    })
  })

  test('S-103 F063 ten simultaneous ones all succeed, and only the last one remains', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => subscribe('7')))
    const kept = await rows()
    expect(kept).toHaveLength(1)
    expect(answers.map((one) => one.id)).toContain(String(kept[0]?.id))
    await Promise.all([
      ...Array.from({ length: 5 }, () => subscribe('7')),
      ...Array.from({ length: 5 }, () => harness.cluster.call(deletePushSubscription, {}, by('7'))),
    ])
    expect((await rows()).length).toBeLessThanOrEqual(1)
    await harness.cluster.call(deletePushSubscription, {}, by('7'))
    expect(await rows()).toEqual([])
  })
})

describe('a message', () => {
  test.each([
    [true, 'aes128gcm'],
    [false, 'aesgcm'],
  ])('S-017 standard %s arrives as %s and says what happened', async (standard, encoding) => {
    const { endpoint } = await subscribe('7', { subscription: { ...service.subscribe(), standard } })
    await mention()
    const push = await service.pushes.next()
    expect(push).toMatchObject({ encoding, subscription: { endpoint }, vapid: { publicKey: vapid.publicKey } })
    expect(push.vapid.claims.sub).toBe('mailto:postmaster@localhost')
    const [row] = await harness.cluster
      .db('notifications')
      .rows<{ id: string }>(sql`select max(id)::text as id from notifications`)
    expect(JSON.parse(push.payload)).toEqual({
      access_token: 'secret-7',
      preferred_locale: 'de',
      notification_id: Number(row?.id),
      notification_type: 'mention',
      icon: 'https://here.example/pictures/bob.png',
      title: 'Bob hat dich erwähnt',
      body: 'Hello & welcome',
    })
    expect(service.refused.all).toEqual([])
  })

  test('S-190 is in the current language of the user, not in the language at the time of the subscription', async () => {
    await subscribe('7')
    harness.locales.set(ALICE, 'en-GB')
    await mention()
    harness.locales.clear()
    expect(JSON.parse((await service.pushes.next()).payload)).toMatchObject({
      preferred_locale: 'en-GB',
      title: 'You were mentioned by Bob',
    })
  })

  test('D022 contains a token of the base before SECRET_KEY_BASE was changed, and an unreadable token ends it', async () => {
    await subscribe('7')
    const storeWith = (secretKeyBase: string) => {
      const text = secretCipherFor({ secretKeyBase }, 'notifications:push-token').encrypt('secret-7', '7')
      return harness.cluster.db('notifications').run(sql`update push_subscriptions set token_sealed = ${text}`)
    }
    await storeWith('a lost base, also of more than thirty-two characters')
    await mention()
    expect(service.pushes.all).toEqual([])
    expect(await rows()).toHaveLength(1)
    await storeWith(PREVIOUS)
    await mention()
    expect(JSON.parse((await service.pushes.next()).payload).access_token).toBe('secret-7')
  })

  test.each([true, false])('S-190 standard %s with a very long name is one record', async (standard) => {
    const author = fresh()
    harness.fakeAccounts.set(author, {
      id: author,
      username: 'long',
      display_name: '長'.repeat(2_048),
      note: '文'.repeat(9_000),
    })
    await subscribe('7', { subscription: { ...service.subscribe(), standard } })
    await harness.announce(followCreated, followed(fresh(), author, ALICE))
    const { title, body } = JSON.parse((await service.pushes.next()).payload)
    expect(title).toBe(`${'長'.repeat(99)}… folgt dir jetzt`)
    expect(body).toHaveLength(140)
    expect(service.refused.all).toEqual([])
    expect(await rows()).toHaveLength(1)
  })

  test('S-056 S-183 is sent only for enabled alerts, and only for senders that the policy allows', async () => {
    await subscribe('7', { data: { alerts: { follow: true, mention: false } } })
    await mention()
    await subscribe('7', { data: { alerts: { mention: true }, policy: 'followed' } })
    await mention()
    await subscribe('7', { data: { alerts: { mention: true }, policy: 'none' } })
    await mention()
    expect(service.pushes.all).toEqual([])
    await subscribe('7', { data: { alerts: { mention: true }, policy: 'followed' } })
    harness.relationships.set('1>2', { following: true })
    await mention()
    expect(service.pushes.all).toHaveLength(1)
    await subscribe('7', { data: { alerts: { mention: true }, policy: 'follower' } })
    await mention()
    expect(service.pushes.all).toHaveLength(1)
    harness.relationships.set('1>2', { followed_by: true, followed_by_since: '2020-01-01T00:00:00.000Z' })
    await mention()
    expect(service.pushes.all).toHaveLength(2)
  })

  test('is sent to every device, but not for a filtered notification', async () => {
    await subscribe('7')
    await subscribe('8')
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    expect(service.pushes.all.map((one) => JSON.parse(one.payload).access_token).sort()).toEqual([
      'secret-7',
      'secret-8',
    ])
    harness.fakeAccounts.set(BOB, { ...harness.fakeAccounts.get(BOB)!, silenced: true })
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    harness.fakeAccounts.set(BOB, { ...harness.fakeAccounts.get(BOB)!, silenced: false })
    expect(service.pushes.all).toHaveLength(2)
  })

  test('is not delayed by many subscriptions at a push service that does not respond', async () => {
    const requests: string[] = []
    const silent = await serve(({ path }) => {
      requests.push(path)
      return undefined
    })
    const atSilent = (n: number) => ({ ...service.subscribe(), endpoint: `${silent.origin}/push/${n}` })
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    await Promise.all(numbers.map((n) => subscribe(`${1_000 + n}`, {}, atSilent(n))))
    await subscribe('9')
    const id = fresh()
    harness.texts.set(id, { id, author: BOB, text: 'Hello', warning: '' })
    const startedAt = performance.now()
    const announced = harness.announce(statusCreated, posted(id, BOB, { mentions: [ALICE] }))
    await service.pushes.reached(1)
    expect(performance.now() - startedAt).toBeLessThan(12_000)
    expect(requests.length).toBeLessThanOrEqual(4)
    await harness.cluster.db('notifications').run(sql`delete from push_subscriptions`)
    await silent.close()
    await announced
  })

  test('is not delayed by many push services that do not respond', async () => {
    const requestedAt: number[] = []
    const silence = () => void requestedAt.push(performance.now())
    const silent = await Promise.all(Array.from({ length: 40 }, () => serve(silence)))
    await Promise.all(
      silent.map(({ origin }, n) => subscribe(`${2_000 + n}`, {}, { ...service.subscribe(), endpoint: `${origin}/x` })),
    )
    await subscribe('9')
    const id = fresh()
    harness.texts.set(id, { id, author: BOB, text: 'Hello', warning: '' })
    const announced = harness.announce(statusCreated, posted(id, BOB, { mentions: [ALICE] }))
    await service.pushes.reached(1)
    // A request without a response ends later.
    expect(performance.now() - (requestedAt[0] ?? 0)).toBeLessThan(8_000)
    await harness.cluster.db('notifications').run(sql`delete from push_subscriptions`)
    await Promise.all(silent.map((one) => one.close()))
    await announced
  })

  test('its unsubscribe URL ends the subscription, once and only with a valid signature', async () => {
    await subscribe('7')
    await mention()
    const address = new URL(String((await service.pushes.next()).headers['unsubscribe-url']))
    expect(address.pathname).toMatch(/^\/api\/web\/push_subscriptions\/[\w.-]+$/)
    const token = address.pathname.split('/').at(-1) ?? ''
    expect((await harness.cluster.request(unsubscribePush, { token: `${token}x` })).meta.status).toBe(200)
    expect(await rows()).toHaveLength(1)
    const { bytes, meta } = await harness.cluster.request(unsubscribePush, { token })
    expect([meta.status, bytes.length]).toEqual([200, 0])
    expect(await rows()).toEqual([])
    expect((await harness.cluster.request(unsubscribePush, { token })).meta.status).toBe(200)
  })
})

describe('a subscription ends', () => {
  test.each([404, 410, 400])('when the push service answers %d', async (status) => {
    await subscribe('7')
    service.respondWith(status)
    await mention()
    expect(await rows()).toEqual([])
  })

  test('not when the push service has a temporary error, and the message is sent later', async () => {
    await subscribe('7')
    service.respondWith(503, { times: 1 })
    await mention()
    await service.pushes.reached(1)
    expect(await rows()).toHaveLength(1)
  })

  test('not when a message is too large for the push service, and the message is dropped', async () => {
    await subscribe('7')
    service.respondWith(413, { times: 1 })
    await mention()
    expect(service.pushes.all).toEqual([])
    expect(await rows()).toMatchObject([{ failures: 0 }])
  })

  test('when no message was delivered for a week, but not during a short outage', async () => {
    const { id } = await subscribe('7')
    const db = harness.cluster.db('notifications')
    const start = Date.UTC(2026, 0, 1)
    const failAt = (at: number) =>
      countFailure(db, id, { at: new Date(at), limit: 10, before: new Date(at - 7 * 86_400_000) })
    for (let hour = 0; hour < 40; hour++) await failAt(start + hour * 3_600_000)
    expect(await rows()).toHaveLength(1)
    await deleteFailures(db, id)
    await failAt(start + 8 * 86_400_000)
    expect(await rows()).toMatchObject([{ failures: 1 }])
    for (let day = 9; day < 18; day++) await failAt(start + day * 86_400_000)
    expect(await rows()).toEqual([])
  })

  test('F068 when its token is revoked, and no new one can be created for that token', async () => {
    await subscribe('70')
    await subscribe('71')
    await harness.announce(tokenRevoked, { tokenIds: ['70'], userId: ALICE })
    expect((await rows()).map((row) => row.token_id)).toEqual(['71'])
    await expect(subscribe('70')).rejects.toMatchObject({ status: 401, message: 'The access token was revoked' })
  })
})

describe('is not sent', () => {
  const held = async (between: (status: string) => Promise<unknown>) => {
    await subscribe('7')
    service.respondWith(503, { times: 1 })
    const status = fresh()
    harness.texts.set(status, { id: status, author: BOB })
    const owner = harness.cluster.host.running.find((one) => one.service === 'statuses')!.ctx
    await owner.db.tx((tx) => owner.announce(tx, statusCreated, posted(status, BOB, { mentions: [ALICE] })))
    const failed = sql`select count(*)::int as count from notifications where status_id = ${status}`
    await expect.poll(() => harness.cluster.db('notifications').row(failed)).toEqual({ count: 1 })
    await between(status)
    await harness.cluster.waitForIdle()
    return service.pushes.all
  }

  test('when the activity was deleted meanwhile', async () => {
    expect(await held((status) => harness.announce(statusDeleted, deleted(status, BOB)))).toEqual([])
  })

  test('when the sender was blocked meanwhile', async () => {
    expect(await held(async () => harness.relationships.set('1>2', { blocking: true }))).toEqual([])
  })

  test('to a disabled login, whose subscription stays for when it is enabled again', async () => {
    await subscribe('7')
    harness.disabled.add(ALICE)
    await mention()
    expect(service.pushes.all).toEqual([])
    expect(await rows()).toHaveLength(1)
    harness.disabled.delete(ALICE)
    await mention()
    expect(service.pushes.all).toHaveLength(1)
  })

  test('when it is older than 48 hours', async () => {
    const old = sql`update notifications set created_at = now() - interval '49 hours'`
    expect(await held(() => harness.cluster.db('notifications').run(old))).toEqual([])
  })
})
