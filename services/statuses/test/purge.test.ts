/** The deletion of the statuses and interactions of a removed account, in many runs of one job. */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accounts, type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('each run that erases data of a removed account has an id of its own, and later ids are no longer', async () => {
  const db = harness.cluster.db('statuses')
  const leaver = harness.fakes.fakeAccount('leaver')
  await db.run(sql`insert into favourites (id, account_id, status_id)
    select n, ${leaver.id}::bigint, n from generate_series(1, 900) n`)
  const { ctx } = harness.cluster.host.running.find((one) => one.service === 'statuses')!
  const push = vi.spyOn(ctx.queues, 'push')
  await harness.happen(accounts.accountRemoved, { id: leaver.id, uri: leaver.uri, local: true })
  await harness.cluster.waitForIdle()
  expect(await db.rows(sql`select 1 from favourites where account_id = ${leaver.id}`)).toEqual([])
  const ids = push.mock.calls.flatMap(([job, item]) => (job === eraseAuthor && item ? [item.id] : []))
  expect(ids).toHaveLength(5)
  expect(new Set(ids).size).toBe(5)
  expect(new Set(ids.map((id) => id.length)).size).toBe(1)
})
