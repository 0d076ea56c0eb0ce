/** Month partitions: created ahead, replaced by the default partition while missing, and filled from it later. */
import type { Status } from '@murmuration/contracts/entities'
import { type Sql, sql } from '@murmuration/db'
import { registry } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDefault } from '../src/status-partition/store.js'
import { keepMonths } from '../src/status-partition/ticks.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const ctx = () => {
  const found = harness.cluster.host.running.find((one) => one.service === 'statuses')
  if (!found) throw new Error('statuses does not run')
  return found.ctx
}
/** Moves the clock to a day of a month, counted from the month in which the test runs. */
const moveTo = (months: number, day = 15): void => {
  const now = new Date()
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, 12)
  ctx().clock.moveTo(then - now.getTime())
}
const keep = () => keepMonths.run(ctx() as never)
const rows = <T>(query: Sql) => harness.cluster.db('statuses').rows<T>(query)
const partOf = async (status: Pick<Status, 'id'>) =>
  (await rows<{ part: string }>(sql`select tableoid::regclass::text as part from statuses where id = ${status.id}`))[0]
    ?.part
/** Name of the partition of a month. */
const nameOf = (months: number): string => {
  const now = new Date()
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months))
  return `statuses_${then.toISOString().slice(0, 7).replace('-', '')}`
}
const parts = async () =>
  (await rows<{ part: string }>(sql`select part from month_partitions() order by low`)).map((row) => row.part)
const held = async () =>
  (await rows<{ held: number }>(sql`select held from default_partition_rows(100000)`))[0]?.held ?? 0
const metricValue = async () =>
  Number((await registry.metrics()).match(/^murmuration_statuses_default_partition_rows (\d+)$/m)?.[1])

test('partitions of the next three months are created when the month changes', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  moveTo(1, 31)
  await keep()
  expect(await parts()).toContain(nameOf(4))
  const status = await harness.post(ann, 'next month')
  expect(await partOf(status)).toBe(nameOf(1))
})

test('a status of a month without a partition is stored, counted and later moved into its month', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  moveTo(9)
  const first = await harness.post(ann, 'nine months later')
  moveTo(10)
  const second = await harness.post(ann, { status: 'ten months later', in_reply_to_id: first.id })
  expect([await partOf(first), await partOf(second)]).toEqual(['statuses_default', 'statuses_default'])
  await keep()
  expect([await partOf(first), await partOf(second)]).toEqual([nameOf(9), nameOf(10)])
  expect(await parts()).toEqual(expect.arrayContaining([11, 12, 13].map(nameOf)))
  expect(await held()).toBe(0)
  expect(await metricValue()).toBe(0)
  const shown = await harness.cluster.call(statuses.showStatus, { id: second.id }, harness.as(ann))
  expect(shown.in_reply_to_id).toBe(first.id)
})

test('the metric counts the default partition even if the tick fails', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  moveTo(15)
  const status = await harness.post(ann, 'waits')
  const reader = harness.cluster.db('statuses')
  await reader.tx(async (tx) => {
    // A long query holds the lock that moving rows needs.
    await tx.rows(sql`select count(*) from statuses`)
    const began = Date.now()
    await expect(keep()).rejects.toMatchObject({ code: '55P03' })
    expect(Date.now() - began).toBeLessThan(8_000)
    expect(await metricValue()).toBe(1)
    expect((await harness.post(ann, 'also stored')).id).toBeTruthy()
  })
  await keep()
  expect(await partOf(status)).toBe(nameOf(15))
  expect(await metricValue()).toBe(0)
})

test('a large default partition becomes the partition of its months while statuses are posted', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  moveTo(22)
  const old = await harness.post(ann, 'old')
  moveTo(24)
  const ids = [old.id]
  let done = false
  const writing = (async () => {
    while (!done) ids.push((await harness.post(ann, `while it is adopted ${ids.length}`)).id)
  })()
  await expect.poll(() => ids.length).toBeGreaterThan(5)
  await emptyDefault(ctx().db, ctx().clock.date(), 3)
  const adopted = ids.length
  await expect.poll(() => ids.length).toBeGreaterThan(adopted + 3)
  done = true
  await writing
  // The gap between the partitions around it is one partition now, which ends a full month from now.
  const name = `${nameOf(19)}_${nameOf(25).slice(-6)}`
  const before = (await parts()).indexOf(nameOf(18))
  expect((await parts()).slice(before + 1)).toEqual([name])
  const found = await rows<{ id: string; part: string }>(
    sql`select id, tableoid::regclass::text as part from statuses where id = any(${ids}::bigint[])`,
  )
  expect(found).toHaveLength(ids.length)
  expect(new Set(found.map((row) => row.part))).toEqual(new Set([name]))
  expect(await held()).toBe(0)
  // No month within it gets a second partition, and the first month after it gets one.
  await keep()
  expect((await parts()).slice(before + 1)).toEqual([name, nameOf(26), nameOf(27)])
})

test('a default partition with rows on both sides of another partition stays as it is', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  moveTo(31)
  const early = await harness.post(ann, 'early')
  await rows(sql`select ensure_month((${ctx().clock.date()}::timestamptz at time zone 'UTC')::date + 30)`)
  moveTo(33)
  const late = await harness.post(ann, 'late')
  await expect(emptyDefault(ctx().db, ctx().clock.date(), 1)).rejects.toThrow('both sides of another partition')
  // A small number of rows is moved month by month.
  await emptyDefault(ctx().db, ctx().clock.date(), 10)
  expect([await partOf(early), await partOf(late)]).toEqual([nameOf(31), nameOf(33)])
})
