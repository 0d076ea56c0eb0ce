/** Groups: pages, content, counts and dismissal. */
import { followCreated } from '@murmuration/contracts/accounts'
import { GroupedNotificationsResults } from '@murmuration/contracts/entities'
import {
  dismissGroup,
  groupAccounts,
  listGroups,
  setMarkers,
  showGroup,
  unreadGroups,
} from '@murmuration/contracts/notifications'
import { favouriteCreated, statusCreated } from '@murmuration/contracts/statuses'
import { openDatabase, sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boosted, favourited, followed, posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const ALICE = '1'
const fakeAccounts = Array.from({ length: 12 }, (_, i) => String(100 + i))
const hour = Math.floor(Date.now() / 3_600_000)
let harness: Harness
let next = 5_000
const fresh = () => String(++next)

beforeAll(async () => {
  harness = await startHarness()
  harness.fakeAccounts.set(ALICE, { id: ALICE, username: 'alice' })
  for (const id of fakeAccounts) harness.fakeAccounts.set(id, { id, username: `p${id}`, display_name: `P ${id}` })
  for (const id of ['1', '2', '3']) harness.texts.set(id, { id, author: ALICE })
  // From the oldest: 11 favourites of one status, a mention, two follows, a boost, one more favourite of the same status.
  for (const by of fakeAccounts.slice(0, 11))
    await harness.announce(favouriteCreated, favourited(fresh(), by, '1', ALICE))
  await harness.announce(statusCreated, posted('2', fakeAccounts[0]!, { mentions: [ALICE] }))
  await harness.announce(followCreated, followed(fresh(), fakeAccounts[1]!, ALICE))
  await harness.announce(followCreated, followed(fresh(), fakeAccounts[2]!, ALICE))
  await harness.announce(statusCreated, boosted(fresh(), fakeAccounts[3]!, '3', ALICE))
  await harness.announce(favouriteCreated, favourited(fresh(), fakeAccounts[11]!, '1', ALICE))
})
afterAll(() => harness.stop())

const request = async (input: Record<string, unknown> = {}) => {
  const { bytes, meta } = await harness.cluster.request(listGroups, input, viewer(ALICE))
  const body = GroupedNotificationsResults.parse(JSON.parse(Buffer.from(bytes).toString()))
  return { ...body, next: meta.next, prev: meta.prev, keys: body.notification_groups.map((one) => one.group_key) }
}
const [FAVOURITES, FOLLOWS, BOOSTS] = [`favourite-1-${hour}`, `follow-${hour}`, `reblog-3-${hour}`]

test('S-016 groups are ordered by their newest notification, and their entities are listed once', async () => {
  const page = await request()
  expect(page.keys).toEqual([FAVOURITES, BOOSTS, FOLLOWS, expect.stringMatching(/^ungrouped-\d+$/)])
  const [favourites, , follows, mention] = page.notification_groups
  expect(favourites).toMatchObject({
    type: 'favourite',
    status_id: '1',
    notifications_count: 12,
    sample_account_ids: fakeAccounts.slice(4).toReversed(),
    page_max_id: String(favourites?.most_recent_notification_id),
  })
  expect(follows).toMatchObject({ notifications_count: 2, sample_account_ids: [fakeAccounts[2], fakeAccounts[1]] })
  expect(follows).not.toHaveProperty('status_id')
  expect(mention).toMatchObject({
    type: 'mention',
    notifications_count: 1,
    status_id: '2',
    sample_account_ids: [fakeAccounts[0]],
  })
  expect(mention?.page_min_id).toBe(mention?.page_max_id)
  expect(page.statuses.map((one) => one.id).toSorted()).toEqual(['1', '2', '3'])
  expect(new Set(page.accounts.map((one) => one.id)).size).toBe(page.accounts.length)
  expect(page).not.toHaveProperty('partial_accounts')
  expect(page.next).toEqual({ max_id: mention?.page_max_id })
  expect(page.prev).toEqual({ min_id: favourites?.page_max_id })
})

test('a page has at most `limit` groups, and the next page continues after it', async () => {
  const first = await request({ limit: 2 })
  expect(first.keys).toEqual([FAVOURITES, BOOSTS])
  const [favourites] = first.notification_groups
  // The page ends at the boost, so only the newest favourite is on it.
  expect(favourites).toMatchObject({ notifications_count: 12, page_min_id: favourites?.page_max_id })
  const second = await request({ limit: 2, ...first.next })
  expect(second.keys[0]).toBe(FOLLOWS)
  const third = await request({ limit: 2, ...second.next })
  expect(third.keys).toEqual([FAVOURITES])
  // On a later page, the group contains only its older notifications.
  expect(third.notification_groups[0]).toMatchObject({ notifications_count: 11 })
  expect((await request({ limit: 2, ...third.next })).notification_groups).toMatchObject([{ notifications_count: 10 }])
  const up = await request({ limit: 1, min_id: second.notification_groups[0]?.page_max_id })
  expect(up.keys).toEqual([BOOSTS])
  expect((await request({ limit: 0 })).keys).toEqual([])
})

test('only the requested types are grouped, and lists can be filtered', async () => {
  expect((await request({ grouped_types: ['follow'] })).keys).toHaveLength(15)
  expect((await request({ types: ['follow', 'mention'] })).keys).toHaveLength(2)
  expect((await request({ exclude_types: ['favourite'] })).keys).toHaveLength(3)
})

test('partial avatars: the first account of each group in full, the others in short', async () => {
  const page = await request({ expand_accounts: 'partial_avatars', types: ['favourite'] })
  expect(page.accounts.map((one) => one.id)).toEqual([fakeAccounts[11]])
  expect(page.partial_accounts?.map((one) => one.id)).toEqual(fakeAccounts.slice(4, 11).toReversed())
  await expect(request({ expand_accounts: 'x' })).rejects.toThrow()
  const { meta, bytes } = await harness.cluster.request(listGroups, { expand_accounts: 'x' }, viewer(ALICE))
  expect(meta.status).toBe(400)
  expect(JSON.parse(Buffer.from(bytes).toString()).error).toBe(
    "Invalid value for 'expand_accounts': 'x', allowed values are 'full' and 'partial_avatars'",
  )
})

test('one group by its key, without the members of a page', async () => {
  const { notification_groups } = await harness.cluster.call(showGroup, { group_key: FAVOURITES }, viewer(ALICE))
  expect(notification_groups).toMatchObject([{ group_key: FAVOURITES, notifications_count: 12 }])
  expect(notification_groups[0]).not.toHaveProperty('page_min_id')
  const mention = (await request({ types: ['mention'] })).keys[0] ?? ''
  expect(
    (await harness.cluster.call(showGroup, { group_key: mention }, viewer(ALICE))).notification_groups,
  ).toMatchObject([{ group_key: mention, type: 'mention' }])
  for (const group_key of ['nonsense', 'ungrouped-999999', 'ungrouped-x'])
    await expect(harness.cluster.call(showGroup, { group_key }, viewer(ALICE))).rejects.toMatchObject({
      code: 'not_found',
    })
})

test('the accounts of a group, in pages', async () => {
  const accounts = async (input: Record<string, unknown>) => {
    const { bytes, meta } = await harness.cluster.request(
      groupAccounts,
      { group_key: FAVOURITES, ...input },
      viewer(ALICE),
    )
    const ids = (JSON.parse(Buffer.from(bytes).toString()) as { id: string }[]).map((one) => one.id)
    return { ids, next: meta.next, prev: meta.prev }
  }
  const first = await accounts({ limit: 10 })
  expect(first.ids).toEqual(fakeAccounts.slice(2).toReversed())
  expect(Object.keys(first.prev ?? {})).toEqual(['since_id'])
  const second = await accounts({ limit: 10, ...first.next })
  expect(second.ids).toEqual(fakeAccounts.slice(0, 2).toReversed())
  expect(second.next).toBeNull()
})

test('hidden accounts are not among the samples, and a group without a visible account is left out', async () => {
  harness.relationships.set(`1>${fakeAccounts[11]}`, { blocking: true })
  harness.relationships.set(`1>${fakeAccounts[3]}`, { blocking: true })
  const page = await request()
  expect(page.keys).not.toContain(BOOSTS)
  expect(page.notification_groups.find((one) => one.group_key === FAVOURITES)?.sample_account_ids).not.toContain(
    fakeAccounts[11],
  )
  harness.relationships.clear()
})

test('groups after the marker are counted', async () => {
  const count = async (input: object = {}) => (await harness.cluster.call(unreadGroups, input, viewer(ALICE))).count
  expect(await count()).toBe(4)
  expect(await count({ limit: 2 })).toBe(2)
  expect(await count({ grouped_types: ['follow'] })).toBe(15)
  const [, boosts] = (await request()).notification_groups
  await harness.cluster.call(setMarkers, { notifications: { last_read_id: boosts?.page_max_id } }, viewer(ALICE))
  expect(await count()).toBe(1)
})

test('a page of groups skips along its index', async () => {
  const owner = openDatabase({ url: harness.cluster.env.DATABASE_URL ?? '', schema: 'notifications', connections: 1 })
  await owner.run(sql`insert into notifications (recipient_id, type, from_id, status_id, source, group_key, created_at)
    select 1000 + s % 1000, 'favourite', s % 90, s % 7, 'plan:' || s, 'favourite-' || s % 7 || '-1', now()
    from generate_series(1, 20000) as s`)
  await owner.run(sql`analyze`)
  const plan = await owner.rows<{ 'QUERY PLAN': string }>(sql`explain select n.id from notifications n
    where n.recipient_id = 1007 and not n.filtered and n.id < 999999 and not (n.group_key = any(${['favourite-7-1']}::text[]))
    order by n.id desc limit 1`)
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/notifications_(shown|every)/)
  const held = await owner.rows<{ 'QUERY PLAN': string }>(sql`explain select count(*) from notifications n
    where n.recipient_id = 1007 and n.group_key = 'favourite-7-1'`)
  expect(held.map((row) => row['QUERY PLAN']).join('\n')).toContain('notifications_group')
  await owner.close()
})

test('a group is dismissed as a whole', async () => {
  expect(await harness.cluster.call(dismissGroup, { group_key: FAVOURITES }, viewer(ALICE))).toEqual({})
  expect(await harness.cluster.call(dismissGroup, { group_key: FAVOURITES }, viewer(ALICE))).toEqual({})
  expect((await request()).keys).toHaveLength(3)
})
