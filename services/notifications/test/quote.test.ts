/** Notifications of quotes: to the quoted author, and of edits to the quoting authors. */
import type { Notification } from '@murmuration/contracts/entities'
import { listNotifications } from '@murmuration/contracts/notifications'
import { quoteAccepted, statusDeleted, statusEdited } from '@murmuration/contracts/statuses'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleted, edited } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB, REMOTE] = ['1', '2', '9'] as const
let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
  harness.fakeAccounts.set(ALICE, { id: ALICE, username: 'alice', domain: null })
  harness.fakeAccounts.set(BOB, { id: BOB, username: 'bob', domain: null })
  harness.fakeAccounts.set(REMOTE, { id: REMOTE, username: 'rita', domain: 'far.example' })
})
afterAll(() => harness.stop())

const notificationsOf = async (id: string) =>
  (await harness.cluster.call(listNotifications, {}, viewer(id))).map((one: Notification) => [
    one.type,
    one.account.username,
    'status' in one ? one.status?.id : null,
  ])
const quoted = (status: string, author: string, more: Record<string, unknown> = {}) => ({
  id: `7${status}`,
  status,
  statusUri: `https://here.example/statuses/${status}`,
  author,
  local: true,
  quoted: '100',
  quotedUri: 'https://here.example/statuses/100',
  quotedAuthor: ALICE,
  quotedLocal: true,
  push: true,
  ...more,
})

test('the quoted author is notified once, and the notification is deleted with the quote', async () => {
  harness.texts.set('201', { id: '201', author: BOB })
  for (let i = 0; i < 2; i++) await harness.announce(quoteAccepted, quoted('201', BOB))
  expect(await notificationsOf(ALICE)).toEqual([['quote', 'bob', '201']])
  await harness.announce(statusDeleted, deleted('201', BOB))
  expect(await notificationsOf(ALICE)).toEqual([])
})

test('no notification of quotes of oneself, of remote accounts, or by fetched statuses', async () => {
  harness.texts.set('202', { id: '202', author: ALICE })
  harness.texts.set('203', { id: '203', author: REMOTE })
  await harness.announce(quoteAccepted, quoted('202', ALICE))
  await harness.announce(quoteAccepted, quoted('203', REMOTE, { local: false, push: false }))
  await harness.announce(quoteAccepted, quoted('202', ALICE, { quotedAuthor: REMOTE, quotedLocal: false }))
  expect(await notificationsOf(ALICE)).toEqual([])
})

test('S-184 the author of a quote is notified of each edit, the latest replacing the one before', async () => {
  harness.texts.set('300', { id: '300', author: ALICE })
  harness.texts.set('301', { id: '301', author: BOB })
  harness.quoters.set('300', [{ account: BOB, status: '301' }])
  for (let i = 0; i < 2; i++) await harness.announce(statusEdited, edited('300', ALICE))
  expect(await notificationsOf(BOB)).toEqual([['quoted_update', 'alice', '301']])
})
