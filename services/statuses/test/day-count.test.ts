/** Daily counters of statuses: updated with each status, and equal to the rows, in every partition. */
import { type Sql, sql } from '@murmuration/db'
import { keepDayCounts } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const db = () => harness.cluster.db('statuses')
const sums = (from: Sql) =>
  db().rows(sql`select metric, key, day::text, sum(value)::int as value from (${from}) c
    group by 1, 2, 3 having sum(value) <> 0 order by 1, 2, 3`)
const counted = () =>
  sums(
    sql`select metric, key, day, value from day_counts union all select metric, key, day, value from day_count_changes`,
  )
const fromRows = () =>
  sums(sql`select c.* from statuses s, status_counts(s) c
    union all select 'interaction', '', (to_timestamp((f.id >> 16) / 1000.0) at time zone 'UTC')::date, 1 from favourites f
      join author_flags a on a.account_id = f.account_id and a.local`)

test('counters equal the rows after statuses are posted, edited, deleted and erased', async () => {
  const [ann, bob] = [harness.fakes.fakeAccount('ann'), harness.fakes.fakeAccount('bob')]
  const first = await harness.post(ann, { status: 'one', language: 'en' })
  const second = await harness.post(bob, { status: 'two', in_reply_to_id: first.id, language: 'de' })
  await harness.post(ann, { status: 'more of mine', in_reply_to_id: first.id, language: 'en' })
  await harness.cluster.call(statuses.addReblog, { id: first.id }, harness.as(bob))
  await harness.cluster.call(statuses.addFavourite, { id: first.id }, harness.as(bob))
  await harness.cluster.call(statuses.addFavourite, { id: first.id }, harness.as(bob))
  await harness.cluster.call(
    statuses.editStatus,
    { id: second.id, status: 'zwei', language: 'fr' } as never,
    harness.as(bob),
  )
  const gone = await harness.post(bob, { status: 'gone', language: 'en' })
  await harness.cluster.call(statuses.deleteStatus, { id: gone.id } as never, harness.as(bob))
  await harness.cluster.waitForIdle()
  const now = await counted()
  expect(now).toEqual(await fromRows())
  const of = (metric: string) => now.filter((row) => (row as { metric: string }).metric === metric)
  expect(of('status')).toEqual([expect.objectContaining({ key: '', value: 4 })])
  expect(of('interaction')).toEqual([expect.objectContaining({ value: 3 })])
  expect(of('status-language').map((row) => (row as { key: string }).key)).toEqual(['/en', '/fr'])
  await db().run(sql`delete from statuses where id = ${gone.id}`)
  await keepDayCounts(db())
  expect(await counted()).toEqual(await fromRows())
})

test('statuses of a month whose partition is added later are counted', async () => {
  await db().run(sql`insert into author_flags (account_id, local, domain, silenced, suspended, sensitized, discoverable, indexable)
    values (77, false, 'far.example', false, false, false, true, true)`)
  await db().rows(sql`select ensure_month(date '2031-05-01')`)
  await db().run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, language, created_at)
    values (id_floor('2031-05-05'::timestamptz), 77, false, 0, 'https://far.example/1', 1, 'fr', '2031-05-05')`)
  expect(await counted()).toEqual(await fromRows())
  expect(await counted()).toContainEqual({ metric: 'status', key: 'elpmaxe.raf', day: '2031-05-05', value: 1 })
})
