/** Concurrent folds of counters: no deadlock, also when one inserts the counters that the other changes. */
import { foldDayCounts, sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
const db = () => cluster.db('accounts')

const ROUNDS = 25
/** Changes of one fold: half of them for each year, and their two sums by day. */
const CHANGES = 122
const USERS = 60

test('two folds of the same counters in opposite orders do not wait for each other in a cycle', async () => {
  /** Active users of a year: the day is counted already, or new in this round. Both change the same counters of months. */
  const change = (year: number, day: string) =>
    db().run(sql`insert into day_count_changes (metric, key, day, value)
      select 'active', (${`${year}-01-01`}::date + n)::text, ${day}::date, 1 from generate_series(1, ${USERS}::int) n`)
  for (const year of [2020, 2021]) await change(year, `${year}-12-01`)
  await db().tx((tx) => foldDayCounts(tx, 1_000))
  let runs = 0
  const fold = () =>
    db().tx((tx) => {
      runs++
      return foldDayCounts(tx, CHANGES)
    })
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = (year: number) => `${year}-12-${String(round + 2).padStart(2, '0')}`
    await change(2020, '2020-12-01')
    await change(2021, fresh(2021))
    await change(2021, '2021-12-01')
    await change(2020, fresh(2020))
    expect(await Promise.all([fold(), fold()])).toEqual([CHANGES, CHANGES])
  }
  // A transaction runs again after a deadlock.
  expect(runs).toBe(2 * ROUNDS)
  const months = await db().row<{ value: number }>(
    sql`select value::int from day_counts where metric = 'active-months' and key = 'y/2020' and day = '2020-12-01'`,
  )
  expect(months?.value).toBe((2 * ROUNDS + 1) * USERS)
})
