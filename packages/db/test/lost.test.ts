/** Sessions that the server ends while somebody works in them: the work fails, the next one does not, the process lives. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../src/index.js'

const lost: string[] = []
let db: Database
let admin: pg.Client
beforeAll(async () => {
  const url = process.env.DATABASE_URL ?? ''
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
  db = openDatabase({
    url,
    schema: 'public',
    connections: 3,
    applicationName: 'lost sessions',
    onError: (error) => lost.push(error.message),
  })
})
afterAll(async () => {
  await db.close()
  await admin.end()
})
const endAll = () =>
  admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost sessions'")

test('F034 F035 a session that ends in the middle of a transaction, of a statement, or idle is told and replaced', async () => {
  for (let round = 0; round < 3; round++) {
    expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
    const cut = db.tx(async (tx) => {
      await tx.row(sql`select 1`)
      await endAll()
      await tx.row(sql`select 2`)
    })
    await expect(cut).rejects.toThrow()
    const slow = db.row(sql`select pg_sleep(30)`)
    await expect
      .poll(
        async () =>
          (
            await admin.query(
              "select 1 from pg_stat_activity where application_name = 'lost sessions' and state = 'active'",
            )
          ).rowCount,
      )
      .toBe(1)
    await endAll()
    await expect(slow).rejects.toThrow()
  }
  expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
  expect(await db.healthy()).toBe(true)
  expect(lost.length).toBeGreaterThan(0)
})
