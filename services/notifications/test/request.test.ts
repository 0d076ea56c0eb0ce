/** Notification policy, and decisions about requests. */
import { followCreated } from '@murmuration/contracts/accounts'
import {
  acceptRequest,
  acceptRequests,
  changeFilters,
  changePolicy,
  dismissRequest,
  dismissRequests,
  listNotifications,
  listRequests,
  mergeRequestJob,
  requestsMerged,
  showFilters,
  showPolicy,
  showRequest,
} from '@murmuration/contracts/notifications'
import { statusCreated } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mergeRequest } from '../src/request/jobs.js'
import { followed, posted } from './happening.js'
import { type Harness, startHarness } from './harness.js'

const [ALICE, BOB, CAROL] = ['1', '2', '3'] as const
let harness: Harness
let next = 7_000
const fresh = () => String(++next)
beforeAll(async () => {
  harness = await startHarness()
  for (const [id, username] of [
    [ALICE, 'alice'],
    [BOB, 'bob'],
    [CAROL, 'carol'],
  ] as const)
    harness.fakeAccounts.set(id, { id, username })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  harness.live.length = 0
  for (const table of ['notifications', 'requests', 'permissions', 'policies', 'merges', 'sender_flags'])
    await harness.cluster.db('notifications').run({ text: `delete from ${table}`, values: [] })
})

const mention = async (by: string): Promise<string> => {
  const id = fresh()
  harness.texts.set(id, { id, author: by })
  await harness.announce(statusCreated, posted(id, by, { mentions: [ALICE] }))
  return id
}
const as = viewer(ALICE)
const shown = async () =>
  (await harness.cluster.call(listNotifications, {}, as)).map((one) => `${one.type} ${one.account.username}`)
const requests = () => harness.cluster.call(listRequests, {}, as)
const hold = () => harness.cluster.call(changePolicy, { for_not_following: 'filter' }, as)

describe('policy', () => {
  const usual = {
    for_not_following: 'accept',
    for_not_followers: 'accept',
    for_new_accounts: 'accept',
    for_private_mentions: 'filter',
    for_limited_accounts: 'filter',
    for_bots: 'accept',
    summary: { pending_requests_count: 0, pending_notifications_count: 0 },
  }

  test('S-164 has the default until it is changed, member by member', async () => {
    expect(await harness.cluster.call(showPolicy, {}, as)).toEqual(usual)
    const changed = { ...usual, for_bots: 'drop', for_private_mentions: 'accept' }
    expect(await harness.cluster.call(changePolicy, { for_bots: 'drop', for_private_mentions: 'accept' }, as)).toEqual(
      changed,
    )
    expect(await harness.cluster.call(changePolicy, {}, as)).toEqual(changed)
    expect(await harness.cluster.call(showPolicy, {}, as)).toEqual(changed)
    expect(await harness.cluster.call(showPolicy, {}, viewer(BOB))).toEqual(usual)
    await expect(harness.cluster.call(changePolicy, { for_bots: 'maybe' }, as)).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: For bots is not included in the list',
    })
  })

  test('has a form of API v1 in which every choice except accept is a filter', async () => {
    const filters = { filter_not_following: false, filter_not_followers: false, filter_new_accounts: false }
    const { summary } = usual
    expect(await harness.cluster.call(showFilters, {}, as)).toEqual({
      ...filters,
      filter_private_mentions: true,
      summary,
    })
    await harness.cluster.call(changePolicy, { for_not_followers: 'drop' }, as)
    expect(
      await harness.cluster.call(changeFilters, { filter_private_mentions: 'false', filter_new_accounts: '1' }, as),
    ).toEqual({
      filter_not_following: false,
      filter_not_followers: true,
      filter_new_accounts: true,
      filter_private_mentions: false,
      summary,
    })
    expect(await harness.cluster.call(showPolicy, {}, as)).toMatchObject({
      for_not_followers: 'drop',
      for_new_accounts: 'filter',
      for_private_mentions: 'accept',
    })
  })
})

describe('requests', () => {
  test('S-164 contain filtered notifications, with the last status and counts', async () => {
    await hold()
    await mention(BOB)
    const last = await mention(BOB)
    await mention(CAROL)
    const [carol, bob] = await requests()
    expect(carol).toMatchObject({ account: { username: 'carol' }, notifications_count: '1' })
    expect(bob).toMatchObject({ account: { username: 'bob' }, notifications_count: '2', last_status: { id: last } })
    expect(await harness.cluster.call(showRequest, { id: bob!.id }, as)).toEqual(bob)
    expect((await harness.cluster.call(showPolicy, {}, as)).summary).toEqual({
      pending_requests_count: 2,
      pending_notifications_count: 3,
    })
    const gone = { code: 'not_found', message: 'Record not found' }
    for (const operation of [showRequest, acceptRequest, dismissRequest])
      await expect(harness.cluster.call(operation, { id: bob!.id }, viewer(CAROL))).rejects.toMatchObject(gone)
  })

  test('types without requests are filtered without one', async () => {
    await hold()
    await harness.announce(followCreated, followed(fresh(), BOB, ALICE))
    expect(await requests()).toEqual([])
    expect(await shown()).toEqual([])
  })

  test('S-164 accepting moves earlier notifications to the list, accepts later ones, and reports when it is done', async () => {
    await hold()
    await mention(BOB)
    await mention(CAROL)
    expect(harness.live).toEqual([])
    const bob = (await requests()).find((one) => one.account.id === BOB)
    expect(await harness.cluster.call(acceptRequest, { id: bob!.id }, as)).toEqual({})
    await harness.cluster.waitForIdle()
    expect(await shown()).toEqual(['mention bob'])
    expect(await harness.cluster.call(requestsMerged, {}, as)).toEqual({ merged: true })
    expect(harness.live).toEqual([{ account: ALICE, message: { e: 'notifications_merged', payload: '1' } }])
    await mention(BOB)
    expect(await shown()).toEqual(['mention bob', 'mention bob'])
    expect((await requests()).map((one) => one.account.id)).toEqual([CAROL])
  })

  test('merged is false while a merge is running', async () => {
    await harness.cluster.db('notifications').run(sql`insert into merges (recipient_id, from_id) values (1, 2)`)
    expect(await harness.cluster.call(requestsMerged, {}, as)).toEqual({ merged: false })
  })

  test('many notifications are merged in several steps, and one event reports the end for several senders', async () => {
    await hold()
    await mention(BOB)
    await mention(CAROL)
    await harness.cluster.db('notifications').run(sql`insert into notifications
        (recipient_id, type, from_id, source, filtered, created_at)
      select 1, 'follow', 2, 'many:' || n, true, now() from generate_series(1, 1200) as n`)
    const ids = (await requests()).map((one) => one.id)
    expect(await harness.cluster.call(acceptRequests, { id: [...ids, '424242'] }, as)).toEqual({})
    await harness.cluster.waitForIdle()
    const left = sql`select count(*)::int as count from notifications where filtered`
    expect(await harness.cluster.db('notifications').row(left)).toEqual({ count: 0 })
    expect(harness.live).toHaveLength(1)
    expect(await requests()).toEqual([])
  })

  test('a merge that runs again queues its next step once', async () => {
    await harness.cluster.db('notifications').run(sql`insert into notifications
        (recipient_id, type, from_id, source, filtered, created_at)
      select 1, 'follow', 2, 'again:' || n, true, now() from generate_series(1, 1000) as n`)
    const ctx = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
    const queue = vi.fn(async () => undefined)
    for (let times = 0; times < 2; times++)
      await mergeRequest.run({ ...ctx, queue }, { recipient: ALICE, from: BOB }, { id: '4603', tries: 1 })
    expect(queue.mock.calls).toEqual([[expect.anything(), mergeRequestJob, { recipient: ALICE, from: BOB }]])
  })

  test('S-164 dismissing deletes the filtered notifications of one or several requests', async () => {
    await hold()
    await mention(BOB)
    await mention(CAROL)
    const [carol, bob] = await requests()
    expect(await harness.cluster.call(dismissRequest, { id: bob!.id }, as)).toEqual({})
    expect((await requests()).map((one) => one.id)).toEqual([carol!.id])
    expect(await harness.cluster.call(dismissRequests, { id: [carol!.id, '424242'] }, as)).toEqual({})
    expect(await requests()).toEqual([])
    const rows = await harness.cluster.db('notifications').rows(sql`select id from notifications`)
    expect(rows).toEqual([])
    await mention(BOB)
    expect(await requests()).toHaveLength(1)
  })

  test('a page links to the next one only when it is full', async () => {
    await hold()
    await mention(BOB)
    await mention(CAROL)
    const request = async (limit: number) => (await harness.cluster.request(listRequests, { limit }, as)).meta
    const newest = (await requests())[0]!.id
    expect(await request(1)).toMatchObject({ next: { max_id: newest }, prev: { min_id: newest } })
    expect(await request(3)).toMatchObject({ next: null, prev: { min_id: newest } })
  })
})
