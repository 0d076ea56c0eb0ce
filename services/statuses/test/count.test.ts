/** Counters and the rows they count: how operators find and repair differences. */
import { recountStatuses, statusCountsRepaired } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('I5 a recount finds every counter that differs from its rows, and repairs it on request', async () => {
  const [ann, ben] = [harness.fakes.fakeAccount('ann'), harness.fakes.fakeAccount('ben')]
  const { id } = await harness.post(ann, 'counted')
  const other = await harness.post(ann, 'not touched')
  await harness.post(ben, { status: '@ann yes', in_reply_to_id: id })
  for (const one of [id, other.id]) await harness.cluster.call(statuses.addFavourite, { id: one }, harness.as(ben))
  await harness.cluster.call(statuses.addReblog, { id }, harness.as(ben))
  await harness.cluster.waitForIdle()
  const look = (repair = false) => harness.cluster.call(recountStatuses, { repair })
  expect(await look()).toEqual({ differences: [], last: null })
  await harness.cluster
    .db('statuses')
    .run(
      sql`update status_stats set favourites = 7, reblogs = 0, replies = replies + 1, reactions = 2 where status_id = ${id}`,
    )
  const wrong = [
    { id, counter: 'favourites', kept: 7, counted: 1 },
    { id, counter: 'reactions', kept: 2, counted: 0 },
    { id, counter: 'reblogs', kept: 0, counted: 1 },
    { id, counter: 'replies', kept: 2, counted: 1 },
  ]
  expect((await look()).differences).toEqual(wrong.map((one) => ({ ...one, repaired: false })))
  expect((await look(true)).differences).toEqual(wrong.map((one) => ({ ...one, repaired: true })))
  expect((await look()).differences).toEqual([])
  const repairs = sql`select data::jsonb as data from outbox where subject = ${`evt.${statusCountsRepaired.name}`}`
  expect(await harness.cluster.db('statuses').rows(repairs)).toMatchObject([
    {
      data: {
        by: null,
        action: 'repair_counters',
        target: 'statuses',
        after: wrong.map(({ counted }) => ({ counted })),
      },
    },
  ])
  expect(await harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))).toMatchObject({
    favourites_count: 1,
    reblogs_count: 1,
    replies_count: 1,
  })
})
