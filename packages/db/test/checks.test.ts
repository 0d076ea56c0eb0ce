/** Checks whether rows exist: those of one moment are one statement, and each has its own result. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase, sql, unprepared } from '../src/index.js'

let db: Database
let asked: string[]
beforeEach(() => {
  asked = []
  const onQuery = (text: string) => void asked.push(text)
  db = openDatabase({ url: process.env.DATABASE_URL ?? '', schema: 'public', connections: 2, onQuery })
})
afterEach(() => db.close())

const over = (least: number) => sql`select 1 from generate_series(1, 10) as n where n > ${least}`
const noTable = sql`select 1 from no_such_table`

test('checks of one moment are one statement, and each has its own result', async () => {
  const all = [sql`select 1 where false`, over(5), over(10), sql`select 1`]
  expect(await Promise.all(all.map((one) => db.exists(one)))).toEqual([false, true, false, true])
  expect(asked).toHaveLength(1)
})

test('the same checks in another order have the same text', async () => {
  const pair = [over(5), sql`select 1 where false`]
  expect(await Promise.all(pair.map((one) => db.exists(one)))).toEqual([true, false])
  expect(await Promise.all(pair.toReversed().map((one) => db.exists(one)))).toEqual([false, true])
  expect(new Set(asked).size).toBe(1)
})

test('checks of one moment leave no prepared statement', async () => {
  const one = openDatabase({ url: process.env.DATABASE_URL ?? '', schema: 'public', connections: 1 })
  const left = () =>
    one.row(sql`select count(*)::int as n from pg_prepared_statements where statement like '%as found'`)
  try {
    expect(await Promise.all([one.exists(over(5)), one.exists(over(10))])).toEqual([true, false])
    expect(await left()).toEqual({ n: 0 })
    expect(await one.exists(over(5))).toBe(true)
    expect(await left()).toEqual({ n: 1 })
  } finally {
    await one.close()
  }
})

test('a statement marked `unprepared` leaves no prepared statement, in a transaction neither', async () => {
  const one = openDatabase({ url: process.env.DATABASE_URL ?? '', schema: 'public', connections: 1 })
  const query = unprepared(sql`select ${'text'}::text as marked`)
  try {
    expect(await one.row(query)).toEqual({ marked: 'text' })
    expect(await one.tx((tx) => tx.row(query))).toEqual({ marked: 'text' })
    expect(
      await one.row(sql`select count(*)::int as n from pg_prepared_statements where statement like '%as marked'`),
    ).toEqual({ n: 0 })
  } finally {
    await one.close()
  }
})

test('later checks see rows that were inserted since', async () => {
  await db.run(sql`create unlogged table checks_of_this_test (id int)`)
  const any = () => db.exists(sql`select 1 from checks_of_this_test`)
  try {
    expect(await any()).toBe(false)
    await db.run(sql`insert into checks_of_this_test values (1)`)
    expect(await any()).toBe(true)
  } finally {
    await db.run(sql`drop table checks_of_this_test`)
  }
})

test('a failed check does not affect the others of its moment', async () => {
  const results = await Promise.allSettled([db.exists(over(5)), db.exists(noTable), db.exists(over(10))])
  expect(results).toMatchObject([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: { code: '42P01' } },
    { status: 'fulfilled', value: false },
  ])
})
