/** Pressure: exhausted pool, conflicting locks, and slow statements are refused or retried, and never hang. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../src/index.js'

let db: Database
const open = (more: Partial<Parameters<typeof openDatabase>[0]> = {}) =>
  openDatabase({ url: process.env.DATABASE_URL ?? '', schema: 'public', connections: 4, ...more })
beforeAll(async () => {
  db = open()
  await db.run(sql`create table if not exists pressure_counter (id int primary key, n int not null)`)
  await db.run(sql`insert into pressure_counter values (1, 0), (2, 0) on conflict (id) do update set n = 0`)
})
afterAll(async () => {
  await db.run(sql`drop table pressure_counter`)
  await db.close()
})

test('F036 with an exhausted pool the next caller is refused with a retry time, and succeeds afterwards', async () => {
  const narrow = open({ connections: 1 })
  let release: (() => void) | undefined
  const held = narrow.tx(async (tx) => {
    await tx.row(sql`select 1`)
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  await expect.poll(() => release).toBeTypeOf('function')
  expect(narrow.load()).toMatchObject({ total: 1, idle: 0 })
  await expect(narrow.row(sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await narrow.healthy()).toBe(false)
  release?.()
  await held
  expect(await narrow.row(sql`select 1 as one`)).toEqual({ one: 1 })
  expect(await narrow.healthy()).toBe(true)
  await narrow.close()
})

test('F038 transactions with serialization failures are retried: none is lost or applied twice', async () => {
  const up = () =>
    db.tx(async (tx) => {
      await tx.run(sql`set transaction isolation level serializable`)
      const row = await tx.row<{ n: number }>(sql`select n from pressure_counter where id = 1`)
      await tx.run(sql`update pressure_counter set n = ${(row?.n ?? 0) + 1} where id = 1`)
    })
  for (let round = 0; round < 20; round++) await Promise.all([up(), up()])
  expect(await db.row(sql`select n from pressure_counter where id = 1`)).toEqual({ n: 40 })
})

test('F038 two transactions that lock the same rows in opposite order both succeed', async () => {
  let ready = 0
  let go: (() => void) | undefined
  const both = new Promise<void>((resolve) => {
    go = resolve
  })
  const cross = (first: number, second: number) => {
    let tries = 0
    return db.tx(async (tx) => {
      await tx.run(sql`update pressure_counter set n = n + 1 where id = ${first}`)
      if (++tries === 1) {
        if (++ready === 2) go?.()
        await both
      }
      await tx.run(sql`update pressure_counter set n = n + 1 where id = ${second}`)
    })
  }
  await Promise.all([cross(1, 2), cross(2, 1)])
  expect(await db.rows(sql`select n from pressure_counter order by id`)).toEqual([{ n: 42 }, { n: 2 }])
})

test('F039 a statement that takes too long is cancelled by the server, and its connection is used again', async () => {
  const strict = open({ connections: 1, statementTimeoutMs: 200 })
  await expect(strict.row(sql`select pg_sleep(30)`)).rejects.toMatchObject({ code: 'timeout' })
  expect(await strict.row(sql`select 1 as one`)).toEqual({ one: 1 })
  await strict.close()
})
