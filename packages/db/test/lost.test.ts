/** Work that fails because the server ends its session or a statement. Later work succeeds, and the process keeps running. */
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

test('F034 F035 a session that ends in a transaction, in a statement, or idle is reported and replaced', async () => {
  for (let round = 0; round < 3; round++) {
    expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
    const cut = db.tx(async (tx) => {
      await tx.row(sql`select 1`)
      await endAll()
      await tx.row(sql`select 2`)
    })
    await expect(cut).rejects.toThrow()
    // Attached before, because the end of a session may be reported before the request that ends it gets its response.
    const slow = expect(db.row(sql`select pg_sleep(30)`)).rejects.toThrow()
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
    await slow
  }
  expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
  expect(await db.healthy()).toBe(true)
  expect(lost.length).toBeGreaterThan(0)
})

test('a pipelined transaction is committed as a whole, or fails with its first error', async () => {
  await db.run(sql`create table if not exists sent (id int primary key)`)
  const put = (...ids: number[]) =>
    db.tx(async (tx) => {
      for (const id of ids) tx.send(sql`insert into sent (id) values (${id})`)
    })
  const there = async () => (await db.rows<{ id: number }>(sql`select id from sent order by id`)).map((row) => row.id)
  await put(1, 2)
  expect(await there()).toEqual([1, 2])
  // Later statements of the failed transaction get responses without effect.
  await expect(put(3, 2, 4)).rejects.toMatchObject({ code: '23505' })
  const waiting = db.tx(async (tx) => {
    tx.send(sql`insert into sent (id) values (1)`)
    await tx.run(sql`insert into sent (id) values (5)`)
  })
  await expect(waiting).rejects.toMatchObject({ code: '23505' })
  const effects: string[] = []
  await expect(
    db.tx(async (tx) => {
      tx.onCommit(() => effects.push('committed'))
      tx.send(sql`insert into sent (id) values (1)`)
      tx.atEnd(() => sql`insert into sent (id) values (6)`)
    }),
  ).rejects.toMatchObject({ code: '23505' })
  expect([await there(), effects]).toEqual([[1, 2], []])
  await db.run(sql`drop table sent`)
})
