/** Notifications of quotes: to the quoted author, and of edits to the quoting authors. */
import type { Notification } from '@murmuration/contracts/entities'
import { listNotifications } from '@murmuration/contracts/notifications'
import { quoteAccepted, statusDeleted, statusEdited } from '@murmuration/contracts/statuses'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleted, edited } from './happening.js'
import { startWorld, type World } from './world.js'

const [ALICE, BOB, REMOTE] = ['1', '2', '9'] as const
let world: World
beforeAll(async () => {
  world = await startWorld()
  world.people.set(ALICE, { id: ALICE, username: 'alice', domain: null })
  world.people.set(BOB, { id: BOB, username: 'bob', domain: null })
  world.people.set(REMOTE, { id: REMOTE, username: 'rita', domain: 'far.example' })
})
afterAll(() => world.stop())

const told = async (id: string) =>
  (await world.cluster.call(listNotifications, {}, viewer(id))).map((one: Notification) => [
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
  world.texts.set('201', { id: '201', author: BOB })
  for (let i = 0; i < 2; i++) await world.tell(quoteAccepted, quoted('201', BOB))
  expect(await told(ALICE)).toEqual([['quote', 'bob', '201']])
  await world.tell(statusDeleted, deleted('201', BOB))
  expect(await told(ALICE)).toEqual([])
})

test('no notification of quotes of oneself, of remote accounts, or by fetched statuses', async () => {
  world.texts.set('202', { id: '202', author: ALICE })
  world.texts.set('203', { id: '203', author: REMOTE })
  await world.tell(quoteAccepted, quoted('202', ALICE))
  await world.tell(quoteAccepted, quoted('203', REMOTE, { local: false, push: false }))
  await world.tell(quoteAccepted, quoted('202', ALICE, { quotedAuthor: REMOTE, quotedLocal: false }))
  expect(await told(ALICE)).toEqual([])
})

test('the author of a quote is notified of each edit, the latest replacing the one before', async () => {
  world.texts.set('300', { id: '300', author: ALICE })
  world.texts.set('301', { id: '301', author: BOB })
  world.quoters.set('300', [{ account: BOB, status: '301' }])
  for (let i = 0; i < 2; i++) await world.tell(statusEdited, edited('300', ALICE))
  expect(await told(BOB)).toEqual([['quoted_update', 'alice', '301']])
})
