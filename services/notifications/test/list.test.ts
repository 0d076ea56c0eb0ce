/** Reading, dismissing, clearing and counting notifications; whole documents per type; queries on their indexes. */
import { followCreated } from '@murmuration/contracts/accounts'
import { reportFiled, strikeCreated } from '@murmuration/contracts/admin'
import { Notification } from '@murmuration/contracts/entities'
import {
  clearNotifications,
  dismissNotification,
  listNotifications,
  notificationCards,
  setMarkers,
  showNotification,
  unreadCount,
} from '@murmuration/contracts/notifications'
import { favouriteCreated, statusCreated } from '@murmuration/contracts/statuses'
import { isAscending, keyset, sql } from '@murmuration/db'
import { analyzeTables, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boosted, favourited, followed, posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB, CAROL, DORA] = ['1', '2', '3', '4'] as const
let harness: Harness

beforeAll(async () => {
  harness = await startHarness()
  for (const [id, username] of [
    [ALICE, 'alice'],
    [BOB, 'bob'],
    [CAROL, 'carol'],
    [DORA, 'dora'],
  ] as const)
    harness.fakeAccounts.set(id, { id, username, display_name: username.toUpperCase() })
  harness.texts.set('100', { id: '100', author: ALICE })
  harness.texts.set('101', { id: '101', author: BOB, text: 'Hello @alice' })
  harness.staff.set('manage_reports', [ALICE])
})
afterAll(() => harness.stop())

const db = () => harness.cluster.db('notifications')
const fill = (recipient: string, from: string, count: number, type = 'follow', filtered = false) =>
  db().run(sql`insert into notifications (recipient_id, type, from_id, source, filtered, created_at)
    select ${recipient}::bigint, ${type}, ${from}::bigint, 'fill:' || ${from} || ${type} || n, ${filtered}, now()
    from generate_series(1, ${count}::int) as n`)
const idsOf = (body: Notification[]) => body.map((one) => Number(one.id))

test('golden JSON of each type', async () => {
  await harness.announce(statusCreated, posted('101', BOB, { mentions: [ALICE] }))
  await harness.announce(favouriteCreated, favourited('7', BOB, '100', ALICE))
  await harness.announce(statusCreated, boosted('102', BOB, '100', ALICE))
  await harness.announce(followCreated, followed('8', BOB, ALICE))
  const report = { id: '9', reporter: BOB, target: CAROL, statusIds: ['7'], comment: 'spam', category: 'violation' }
  await harness.announce(reportFiled, { ...report, ruleIds: ['3'], collectionIds: ['5'], forward: [], first: true })
  const strike = {
    id: '10',
    target: ALICE,
    targetLocal: true,
    action: 'none' as const,
    text: 'Be kind',
    statusIds: ['7'],
  }
  await harness.announce(strikeCreated, { ...strike, tell: true })
  harness.fakeAccounts.set(CAROL, { id: CAROL, username: 'carol', silenced: true })
  await harness.announce(followCreated, followed('11', CAROL, ALICE))
  const list = await harness.cluster.call(
    listNotifications,
    { include_filtered: true, supported_types: ['mention'] },
    viewer(ALICE),
  )
  for (const one of list) expect(Notification.safeParse(one).error).toBeUndefined()
  const hour = String(Math.floor(Date.now() / 3_600_000))
  const steady = JSON.stringify(list, null, 2)
    .replace(/"created_at": "20(?!20|26-01)[^"]+"/g, '"created_at": "<now>"')
    .replaceAll(`-${hour}"`, '-<hour>"')
  await expect(`${steady}\n`).toMatchFileSnapshot('./notification.golden.json')
})

describe('lists', () => {
  beforeAll(async () => {
    await fill(DORA, BOB, 90)
    await fill(DORA, CAROL, 5, 'follow_request')
    await fill(DORA, ALICE, 3, 'follow', true)
  })
  const request = async (input: Record<string, unknown>) => {
    const { bytes, meta } = await harness.cluster.request(listNotifications, input, viewer(DORA))
    return { ids: idsOf(JSON.parse(Buffer.from(bytes).toString())), next: meta.next, prev: meta.prev }
  }

  test('S-016 S-092 S-199 the default limit is 40, the maximum 80, and text that is no number gives an empty page', async () => {
    expect((await request({})).ids).toHaveLength(40)
    expect((await request({ limit: '1000' })).ids).toHaveLength(80)
    expect((await request({ limit: '-3' })).ids).toHaveLength(3)
    expect(await request({ limit: 'x' })).toEqual({ ids: [], next: null, prev: null })
  })

  test('S-084 cursors lead through all pages in both directions, and next is present while there is a page', async () => {
    const seen: number[] = []
    let page = await request({ limit: 30 })
    for (let turns = 0; page.ids.length > 0 && turns < 10; turns++) {
      seen.push(...page.ids)
      expect(page.next).toEqual({ max_id: String(page.ids.at(-1)) })
      expect(page.prev).toEqual({ min_id: String(page.ids[0]) })
      page = await request({ limit: 30, ...page.next })
    }
    expect(page).toEqual({ ids: [], next: null, prev: null })
    expect(seen).toHaveLength(95)
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    expect((await request({ limit: 2, min_id: String(seen[50]) })).ids).toEqual(seen.slice(48, 50))
    expect((await request({ limit: 2, since_id: String(seen[50]) })).ids).toEqual(seen.slice(0, 2))
    expect((await request({ max_id: 'garbage' })).ids).toEqual([])
  })

  test('S-091 types, excluded types, sender and filtered ones select notifications', async () => {
    expect((await request({ types: ['follow_request', 'nonsense'] })).ids).toHaveLength(5)
    expect((await request({ types: 'nonsense' })).ids).toEqual([])
    expect((await request({ exclude_types: ['follow', 'nonsense'] })).ids).toHaveLength(5)
    expect((await request({ account_id: CAROL })).ids).toHaveLength(5)
    expect((await request({ account_id: ALICE })).ids).toHaveLength(3)
    expect(
      (await request({ include_filtered: '1', exclude_types: ['follow_request'], limit: 80, max_id: '99999999' })).ids,
    ).toHaveLength(80)
    expect((await request({ include_filtered: 'true', account_id: BOB, types: ['follow_request'] })).ids).toEqual([])
    expect((await request({ account_id: 'x' })).ids).toEqual([])
    expect((await request({ account_id: '' })).ids, 'an empty filter is ignored').toEqual((await request({})).ids)
  })

  test('notifications after the marker are unread, and counting stops at the limit', async () => {
    const count = async (input: Record<string, unknown> = {}) =>
      (await harness.cluster.call(unreadCount, input, viewer(DORA))).count
    expect(await count()).toBe(95)
    expect(await count({ limit: 10 })).toBe(10)
    expect(await count({ limit: 0 })).toBe(0)
    expect(await count({ types: ['follow_request'] })).toBe(5)
    const { ids } = await request({ limit: 3 })
    await harness.cluster.call(setMarkers, { notifications: { last_read_id: String(ids[2]) } }, viewer(DORA))
    expect(await count()).toBe(2)
    expect(await count({ include_filtered: true })).toBe(5)
  })

  test('a notification is shown to and dismissed by its recipient only', async () => {
    const id = String((await request({ limit: 1 })).ids[0])
    expect(await harness.cluster.call(showNotification, { id }, viewer(DORA))).toMatchObject({
      id,
      type: 'follow_request',
    })
    const gone = { code: 'not_found', message: 'Record not found' }
    await expect(harness.cluster.call(showNotification, { id }, viewer(BOB))).rejects.toMatchObject(gone)
    await expect(harness.cluster.call(dismissNotification, { id }, viewer(BOB))).rejects.toMatchObject(gone)
    expect(await harness.cluster.call(dismissNotification, { id }, viewer(DORA))).toEqual({})
    await expect(harness.cluster.call(dismissNotification, { id }, viewer(DORA))).rejects.toMatchObject(gone)
    await expect(harness.cluster.call(showNotification, { id: 'x' }, viewer(DORA))).rejects.toMatchObject(gone)
  })

  test('cards are refused without a grant of the recipient’s stream', async () => {
    const [id] = (await request({ limit: 1 })).ids.map(String)
    for (const grant of [undefined, '', harness.cluster.grant(BOB)])
      await expect(
        harness.cluster.call(notificationCards, { recipient: DORA, ids: [id!], ...(grant !== undefined && { grant }) }),
      ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('cards for open connections leave out notifications of other recipients and hidden ones', async () => {
    const [one, two] = (await request({ limit: 2 })).ids.map(String)
    const granted = harness.cluster.grant
    harness.relationships.set('4>3', { muting_notifications: true })
    expect(
      await harness.cluster.call(notificationCards, { recipient: DORA, ids: [one!, two!], grant: granted(DORA) }),
    ).toEqual(new Map())
    harness.relationships.clear()
    const cards = await harness.cluster.call(notificationCards, {
      recipient: DORA,
      ids: [one!, '424242'],
      grant: granted(DORA),
    })
    expect([...cards.keys()]).toEqual([one])
    expect(
      (await harness.cluster.call(notificationCards, { recipient: BOB, ids: [one!], grant: granted(BOB) })).size,
    ).toBe(0)
  })

  test('the notification of an invisible status is hidden', async () => {
    harness.texts.set('101', { id: '101', author: BOB, hidden: true })
    const list = await harness.cluster.call(listNotifications, { types: ['mention'] }, viewer(ALICE))
    expect(list).toEqual([])
  })

  test('clearing deletes all notifications of the account, including filtered ones', async () => {
    await harness.cluster.call(clearNotifications, {}, viewer(DORA))
    expect((await request({ include_filtered: true })).ids).toEqual([])
    expect(await harness.cluster.call(listNotifications, {}, viewer(ALICE))).not.toEqual([])
  })
})

test('frequent queries use their indexes', async () => {
  for (let n = 0; n < 40; n++)
    await db().run(sql`insert into notifications (recipient_id, type, from_id, source, filtered, created_at)
      select ${1000 + n}::bigint, 'follow', s % 50, 'explain:' || s, s % 9 = 0, now() from generate_series(1, 500) as s`)
  await analyzeTables(harness.cluster.env.DATABASE_URL ?? '', 'notifications.notifications')
  const page = { limit: 40, max_id: '999999' }
  expect(isAscending(page)).toBe(false)
  const plan = async (query: ReturnType<typeof sql>) =>
    (await db().rows<{ 'QUERY PLAN': string }>(sql`explain ${query}`)).map((row) => row['QUERY PLAN']).join('\n')
  expect(
    await plan(
      sql`select id from notifications n where n.recipient_id = 1007 and not n.filtered ${keyset(sql`n.id`, page)}`,
    ),
  ).toContain('notifications_shown')
  expect(
    await plan(
      sql`select id from notifications n where n.recipient_id = 1007 and n.from_id = 7 ${keyset(sql`n.id`, page)}`,
    ),
  ).toContain('notifications_of_sender')
  expect(await plan(sql`delete from notifications n where n.source = 'explain:7'`)).toContain('notifications_source')
  expect(await plan(sql`delete from notifications n where n.status_id = 7`)).toContain('notifications_status')
})
