/** Counters and the rows they count: how operators find and repair differences. */
import { recountStatuses, statusCountsRepaired } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raise, type Stage, statuses } from './cast.js'

let stage: Stage
beforeAll(async () => {
  stage = await raise()
})
afterAll(() => stage.stop())

test('I5 a recount finds every counter that differs from its rows, and repairs it on request', async () => {
  const [ann, ben] = [stage.world.person('ann'), stage.world.person('ben')]
  const { id } = await stage.post(ann, 'counted')
  const other = await stage.post(ann, 'not touched')
  await stage.post(ben, { status: '@ann yes', in_reply_to_id: id })
  for (const one of [id, other.id]) await stage.cluster.call(statuses.addFavourite, { id: one }, stage.as(ben))
  await stage.cluster.call(statuses.addReblog, { id }, stage.as(ben))
  await stage.cluster.settle()
  const look = (repair = false) => stage.cluster.call(recountStatuses, { repair })
  expect(await look()).toEqual({ differences: [], last: null })
  await stage.cluster
    .db('statuses')
    .run(sql`update status_stats set favourites = 7, reblogs = 0, replies = replies + 1 where status_id = ${id}`)
  const wrong = [
    { id, counter: 'favourites', kept: 7, counted: 1 },
    { id, counter: 'reblogs', kept: 0, counted: 1 },
    { id, counter: 'replies', kept: 2, counted: 1 },
  ]
  expect((await look()).differences).toEqual(wrong.map((one) => ({ ...one, repaired: false })))
  expect((await look(true)).differences).toEqual(wrong.map((one) => ({ ...one, repaired: true })))
  expect((await look()).differences).toEqual([])
  const repairs = sql`select data::jsonb as data from outbox where subject = ${`evt.${statusCountsRepaired.name}`}`
  expect(await stage.cluster.db('statuses').rows(repairs)).toMatchObject([
    {
      data: {
        by: null,
        action: 'repair_counters',
        target: 'statuses',
        after: wrong.map(({ counted }) => ({ counted })),
      },
    },
  ])
  expect(await stage.cluster.call(statuses.showStatus, { id }, stage.as(ann))).toMatchObject({
    favourites_count: 1,
    reblogs_count: 1,
    replies_count: 1,
  })
})
