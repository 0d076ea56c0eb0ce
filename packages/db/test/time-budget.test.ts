/** The time limit that the statements of a transaction share. */
import { fail } from '@murmuration/contracts/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, isStatementTimeout, openDatabase, shareTime, sql, type Tx } from '../src/index.js'

let db: Database
beforeAll(() => {
  db = openDatabase({ url: process.env.DATABASE_URL ?? '', schema: 'public', connections: 2 })
})
afterAll(() => db.close())

const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`
const failureOf = (work: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
  db.tx(work).then(
    () => null,
    (error: unknown) => error,
  )

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  [
    'one after the other',
    async (tx) => {
      const limited = shareTime(tx, 400)
      await limited.rows(sleep(0.3))
      await limited.rows(sleep(0.3))
    },
  ],
  [
    'sent together',
    (tx) => {
      const limited = shareTime(tx, 400)
      return Promise.all([limited.rows(sleep(0.3)), limited.row(sleep(0.3)), limited.run(sleep(0.3))])
    },
  ],
])('statements that are %s are cancelled when their common time is over', async (_, work) => {
  expect(isStatementTimeout(await failureOf(work))).toBe(true)
})

test('statements that end in time keep the time limit of the session afterwards', async () => {
  const value = () =>
    db.row<{ ms: string }>(sql`select setting as ms from pg_settings where name = 'statement_timeout'`)
  const earlier = await value()
  await db.tx(async (tx) => {
    const limited = shareTime(tx, 5_000)
    expect(await limited.row(sql`select 1 as one`)).toEqual({ one: 1 })
    expect(await limited.rows(sql`select 2 as two`)).toEqual([{ two: 2 }])
    expect(await limited.run(sql`select 3`)).toBe(1)
  })
  expect(await value()).toEqual(earlier)
})

test('other failures are no statement timeout', async () => {
  const failed = await failureOf((tx) => shareTime(tx, 5_000).rows(sql`select 1 / 0`))
  expect(failed).toMatchObject({ code: '22012' })
  for (const failure of [failed, fail('timeout', 'Please try again'), null, undefined])
    expect(isStatementTimeout(failure)).toBe(false)
})
