/** Notifications of a type that only a newer release knows, as they exist during a rolling update and after going back a release. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  dismissNotification,
  groupAccounts,
  listGroups,
  listNotifications,
  notificationCreated,
  sendPushJob,
  showGroup,
  showNotification,
  unreadCount,
  unreadGroups,
} from '@murmuration/contracts/notifications'
import { statusCreated } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { type PushService, startPushService } from '@murmuration/testkit/outside/push-service'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import webPush from 'web-push'
import { notificationsByIds } from '../src/core/notification.store.js'
import { renderNotifications } from '../src/core/render.js'
import { posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB] = ['1', '2'] as const
const vapid = webPush.generateVAPIDKeys()
let harness: Harness
let service: PushService
let known: string
let newer: string

beforeAll(async () => {
  service = await startPushService()
  harness = await startHarness({
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
  })
  for (const [id, username] of [
    [ALICE, 'alice'],
    [BOB, 'bob'],
  ] as const)
    harness.fakeAccounts.set(id, { id, username })
  harness.texts.set('100', { id: '100', author: BOB, text: 'Hello @alice' })
})
afterAll(async () => {
  await harness.stop()
  await service.close()
})

const db = () => harness.cluster.db('notifications')
const alice = viewer(ALICE)
const request = <O extends AnyOperation>(operation: O, input: object = {}) =>
  harness.cluster.call(operation, input as never, alice)

beforeEach(async () => {
  await db().run(sql`delete from notifications`)
  await harness.announce(statusCreated, posted('100', BOB, { mentions: [ALICE] }))
  const rows = await db().rows<{ id: string }>(sql`insert into notifications
      (recipient_id, type, from_id, status_id, source, group_key, detail, created_at)
    values (${ALICE}, 'poke', ${BOB}, null, 'poke:1', 'poke-1', '{"of":{"a":1}}', now()),
      (${ALICE}, 'poke.status', ${BOB}, 100, 'poke:2', null, null, now()) returning id`)
  newer = rows[0]?.id ?? ''
  known = (await db().row<{ id: string }>(sql`select id from notifications where type = 'mention'`))?.id ?? ''
})

test('lists and counts leave out unknown types, and pages continue behind them', async () => {
  expect(await request(listNotifications)).toMatchObject([{ id: known, type: 'mention' }])
  expect(await request(listNotifications, { limit: 1 })).toMatchObject([{ id: known }])
  expect(await request(listNotifications, { exclude_types: ['follow'] })).toMatchObject([{ id: known }])
  expect(await request(listNotifications, { types: ['poke', 'mention'] })).toMatchObject([{ id: known }])
  expect(await request(listNotifications, { account_id: BOB })).toMatchObject([{ id: known }])
  expect(await request(listGroups)).toMatchObject({ notification_groups: [{ type: 'mention' }] })
  expect(await request(listGroups, { limit: 1 })).toMatchObject({ notification_groups: [{ type: 'mention' }] })
  expect(await request(unreadCount)).toEqual({ count: 1 })
  expect(await request(unreadGroups)).toEqual({ count: 1 })
})

test('a notification or group of an unknown type is not found, and can be dismissed', async () => {
  await expect(request(showNotification, { id: newer })).rejects.toMatchObject({ status: 404 })
  await expect(request(showGroup, { group_key: 'poke-1' })).rejects.toMatchObject({ status: 404 })
  await expect(request(showGroup, { group_key: `ungrouped-${newer}` })).rejects.toMatchObject({ status: 404 })
  expect(await request(groupAccounts, { group_key: 'poke-1' })).toEqual([])
  await request(dismissNotification, { id: newer })
  expect(await db().rows(sql`select 1 from notifications where type = 'poke'`)).toEqual([])
})

test('open streams get no notification of an unknown type', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
  const rows = await notificationsByIds(db(), ALICE, [known, newer])
  expect([...(await renderNotifications(ctx as never, ALICE, rows)).keys()]).toEqual([known])
})

test('an event of an unknown type is acknowledged, and neither pushed nor e-mailed', async () => {
  const { endpoint, keys } = service.subscribe()
  await db().run(sql`insert into push_subscriptions
      (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, locale, token_sealed, created_at)
    values (7, ${ALICE}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, true, '{"poke":true}', 'all', 'en', 'x', now())`)
  const event = { id: newer, recipient: ALICE, type: 'poke', from: BOB, filtered: false }
  await harness.announce(notificationCreated, event)
  expect(service.pushes.all).toEqual([])
  for (const found of [
    sql`dead_letters`,
    sql`mail_news where notification_id = ${newer}`,
    sql`outbox where subject = 'job.notifications.send-push'`,
  ])
    expect(await db().rows(sql`select 1 from ${found}`)).toEqual([])
  // A job of the newer release.
  const subscription = (await db().row<{ id: string }>(sql`select id from push_subscriptions`))?.id ?? ''
  const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
  if (ctx === undefined) throw new Error('notifications does not run')
  await ctx.db.tx((tx) => ctx.queue(tx, sendPushJob, { subscription, notification: newer }))
  await harness.cluster.waitForIdle()
  expect(service.pushes.all).toEqual([])
  expect(await db().rows(sql`select 1 from dead_letters`)).toEqual([])
})
