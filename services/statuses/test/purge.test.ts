/** Deletions that need many runs of a job: the data of a removed account, the boosts of a status, and all feeds. */
import { dropAllFeeds as dropAllFeedsJob, eraseAuthor, removeReblogs } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeReblogs as removeReblogsWork } from '../src/boost/jobs.js'
import { dropAllFeeds } from '../src/feed/drop-all.job.js'
import { eraseAuthor as eraseAuthorWork } from '../src/purge/jobs.js'
import { eraseSomeReactions } from '../src/purge/store.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

/** Number of rows in the outbox of jobs with this subject whose data contain this id. */
const queued = async ({ subject }: { subject: string }, id: string): Promise<number> =>
  (
    await harness.cluster
      .db('statuses')
      .rows(sql`select 1 from outbox where subject = ${subject} and strpos(data, ${`"${id}"`}) > 0`)
  ).length

test('F017 each run that erases data of a removed account queues the next run in the outbox', async () => {
  const db = harness.cluster.db('statuses')
  const leaver = harness.fakes.fakeAccount('leaver')
  await db.run(sql`insert into favourites (id, account_id, status_id)
    select n, ${leaver.id}::bigint, n from generate_series(1, 900) n`)
  await harness.happen(accounts.accountRemoved, { id: leaver.id, uri: leaver.uri, local: true })
  await harness.cluster.waitForIdle()
  expect(await db.rows(sql`select 1 from favourites where account_id = ${leaver.id}`)).toEqual([])
  // The event queues one run, and each of the five runs that erase a batch queues another.
  expect(await queued(eraseAuthor, leaver.id)).toBe(6)
})

test('F017 each run that deletes boosts of a deleted status queues the next run in the outbox', async () => {
  const [author, fan] = [harness.fakes.fakeAccount('boosted'), harness.fakes.fakeAccount('booster')]
  const { id } = await harness.post(author, 'boosted once')
  await harness.cluster.call(statuses.addReblog, { id }, harness.as(fan))
  await harness.cluster.call(statuses.deleteStatus, { id }, harness.as(author))
  await harness.cluster.waitForIdle()
  expect(await queued(removeReblogs, id)).toBe(2)
})

test('reactions to statuses are deleted in steps, before their statuses', async () => {
  const db = harness.cluster.db('statuses')
  const voter = harness.fakes.fakeAccount('voter')
  const poll = { options: ['one', 'two'], expires_in: 600 }
  const { id } = await harness.post(voter, { status: 'one with a poll', poll })
  const popular = await harness.post(harness.fakes.fakeAccount('popular'), 'a popular one')
  await db.run(sql`insert into favourites (id, account_id, status_id)
    select n, n, ${popular.id}::bigint from generate_series(30001, 30012) n`)
  await db.run(sql`insert into poll_votes (id, poll_id, account_id, choice)
    select n, p.id, n, 0 from generate_series(1, 8) n, polls p where p.status_id = ${id}`)
  const counts: number[] = []
  while (counts.at(-1) !== 0) counts.push(await eraseSomeReactions(db, [id, popular.id], 5))
  expect(counts).toEqual([5, 5, 2, 0])
  expect(
    await db.rows(sql`select 1 from poll_votes v join polls p on p.id = v.poll_id where p.status_id = ${id}`),
  ).toEqual([])
})

test('an erasure that runs again queues its next run once', async () => {
  const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  const leaver = harness.fakes.fakeAccount('again')
  await harness.cluster.db('statuses').run(sql`insert into favourites (id, account_id, status_id)
    select n, ${leaver.id}::bigint, n from generate_series(2001, 2900) n`)
  const queue = vi.fn(async () => undefined)
  const run = () => eraseAuthorWork.run({ ...ctx, queue }, { author: leaver.id }, { id: '77', tries: 1 })
  await run()
  await run()
  expect(queue).toHaveBeenCalledTimes(1)
})

test('a deletion of boosts that runs again queues its next run once', async () => {
  const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  const { id } = await harness.post(harness.fakes.fakeAccount('original'), 'boosted twice')
  const queue = vi.fn(async () => undefined)
  for (const name of ['first', 'second']) {
    const { id: boost } = await harness.cluster.call(
      statuses.addReblog,
      { id },
      harness.as(harness.fakes.fakeAccount(name)),
    )
    await removeReblogsWork.run({ ...ctx, queue }, { status: id }, { id: '78', tries: 1 })
    await expect(harness.cluster.call(statuses.showStatus, { id: boost })).rejects.toMatchObject({ status: 404 })
  }
  const calls: unknown[][] = queue.mock.calls
  expect(calls.filter((call) => call[1] === removeReblogs && call.length > 2)).toEqual([
    [expect.anything(), removeReblogs, { status: id }],
  ])
})

test('a drop of all feeds that runs again queues its next page once', async () => {
  const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
  const queue = vi.fn(async () => undefined)
  const call = async () => ({ owners: [], next: '500' })
  for (let times = 0; times < 2; times++) await dropAllFeeds.run({ ...ctx, call, queue }, {}, { id: '79', tries: 1 })
  expect(queue.mock.calls).toEqual([[expect.anything(), dropAllFeedsJob, { after: '500' }]])
})
