/** Migrations on a busy database: simultaneous runs, and a locked table. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../src/database.js'
import { migrate } from '../src/migrate.js'
import { sessionSettings } from '../src/session.js'
import { sql } from '../src/sql.js'

const name = `t_${randomBytes(6).toString('hex')}`
const dir = mkdtempSync(join(tmpdir(), 'migrations-'))
const server = process.env.DATABASE_URL ?? ''
const ours = new URL(server)
ours.pathname = `/${name}`
const adminUrl = ours.toString()
let admin: pg.Client
let client: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  writeFileSync(join(dir, '0001_birds.sql'), '-- expand: birds\ncreate table birds (id bigint primary key);')
})
afterAll(async () => {
  await client.end()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  rmSync(dir, { recursive: true })
})
const run = () => migrate({ adminUrl, service: 'marsh', role: null, dir })

test('F083 one of two simultaneous runs migrates, and the other finds the migrations done', async () => {
  const ran = await Promise.all([run(), run(), run()])
  expect(ran.filter((names) => names.includes('0001_birds'))).toHaveLength(1)
  expect(ran.filter((names) => names.length === 0)).toHaveLength(2)
  expect(await run()).toEqual([])
})

test('F040 a migration that waits for a locked table releases its place for readers, and retries', async () => {
  writeFileSync(join(dir, '0002_names.sql'), '-- expand: names\nalter table birds add column name text;')
  await client.query('begin')
  await client.query('lock table marsh.birds in access share mode')
  let over = false
  const ran = run().finally(() => {
    over = true
  })
  const reader = new pg.Client({ connectionString: adminUrl })
  await reader.connect()
  const waiting = async () =>
    (
      await reader.query(
        "select 1 from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'birds' and not l.granted",
      )
    ).rowCount
  const until = async (wanted: number) => {
    while ((await waiting()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // It waits for the lock, gives up, and waits again, while the table is locked.
  for (const wanted of [1, 0, 1, 0]) await until(wanted)
  // Meanwhile reads succeed.
  expect((await reader.query('select count(*)::int as n from marsh.birds')).rows).toEqual([{ n: 0 }])
  expect(over).toBe(false)
  await client.query('commit')
  expect(await ran).toEqual(['0002_names'])
  await reader.query('select name from marsh.birds')
  await reader.end()
})

test('an index whose concurrent build failed is rebuilt, also if its migration counts as done', async () => {
  const stateOf = async (index: string) =>
    (await client.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [`marsh.${index}`])).rows
  const build = 'create unique index concurrently if not exists birds_name on birds (name);'
  writeFileSync(join(dir, '0003_birds_name.sql'), `-- expand: names are unique\n${build}`)
  await client.query("insert into marsh.birds (id, name) values (1, 'owl'), (2, 'owl')")
  await expect(run()).rejects.toMatchObject({ code: '23505' })
  expect(await stateOf('birds_name')).toEqual([{ indisvalid: false }])
  await client.query('delete from marsh.birds where id = 2')
  expect(await run()).toEqual(['0003_birds_name'])
  expect(await stateOf('birds_name')).toEqual([{ indisvalid: true }])

  await client.query("update pg_index set indisvalid = false where indexrelid = 'marsh.birds_name'::regclass")
  await client.query('create index birds_name_ccnew on marsh.birds (name)')
  await client.query("update pg_index set indisvalid = false where indexrelid = 'marsh.birds_name_ccnew'::regclass")
  expect(await run()).toEqual([])
  expect(await stateOf('birds_name')).toEqual([{ indisvalid: true }])
  expect(await stateOf('birds_name_ccnew')).toEqual([])
})

test('the concurrent build of an index waits for an older transaction', async () => {
  writeFileSync(
    join(dir, '0004_birds_again.sql'),
    '-- expand: birds by name and id\ncreate index concurrently if not exists birds_by_name on birds (name, id);',
  )
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from marsh.birds')
  const ran = run()
  const early = await Promise.race([ran, new Promise((resolve) => setTimeout(() => resolve('waiting'), 3_000))])
  expect(early).toBe('waiting')
  await client.query('commit')
  expect(await ran).toEqual(['0004_birds_again'])
  const { rows } = await client.query(
    "select indisvalid from pg_index where indexrelid = 'marsh.birds_by_name'::regclass",
  )
  expect(rows).toEqual([{ indisvalid: true }])
})

test('F083 simultaneous runs wait for the concurrent build of an index without a deadlock', async () => {
  const own = mkdtempSync(join(tmpdir(), 'migrations-'))
  const build = () => migrate({ adminUrl, service: 'reeds', role: null, dir: own })
  writeFileSync(join(own, '0001_reeds.sql'), '-- expand: reeds\ncreate table reeds (id bigint, height int);')
  await build()
  await client.query('insert into reeds.reeds (id, height) select n, n % 1000 from generate_series(1, 100000) n')
  writeFileSync(
    join(own, '0002_height.sql'),
    '-- expand: reeds by height\ncreate index concurrently if not exists reeds_height on reeds (height);',
  )
  const ran = await Promise.all([build(), build(), build()])
  rmSync(own, { recursive: true })
  expect(ran.flat()).toEqual(['0002_height'])
})

test('a migration reports when it begins to wait for another run, and every 30 seconds', async () => {
  const lock = ['murmuration migrate marsh']
  await client.query('select pg_advisory_lock(hashtext($1))', lock)
  const real = performance.now.bind(performance)
  let passed = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + passed)
  try {
    const waits: number[] = []
    const ran = migrate({ adminUrl, service: 'marsh', role: null, dir, waiting: (seconds) => waits.push(seconds) })
    await vi.waitUntil(() => waits.length === 1)
    passed = 31_000
    await vi.waitUntil(() => waits.length === 2)
    await client.query('select pg_advisory_unlock(hashtext($1))', lock)
    expect(await ran).toEqual([])
    expect(waits).toEqual([0, expect.closeTo(31, -1)])
  } finally {
    clock.mockRestore()
  }
})

test('an invalid index is rebuilt before the next migration runs', async () => {
  const isInvalid = "select from pg_index where indexrelid = 'marsh.birds_by_name'::regclass and not indisvalid"
  await client.query("update pg_index set indisvalid = false where indexrelid = 'marsh.birds_by_name'::regclass")
  writeFileSync(
    join(dir, '0005_contract.sql'),
    `-- contract: one index\ndo $$ begin if exists (${isInvalid}) then raise 'invalid'; end if; end $$;\ndrop index birds_name;`,
  )
  expect(await run()).toEqual(['0005_contract'])
})

test('settings of sessions are stored in the login, so that connections through a pooler have them', async () => {
  const role = { name: `${name}_heron`, password: randomBytes(12).toString('hex') }
  await migrate({ adminUrl, service: 'marsh', role, dir })
  const url = new URL(adminUrl)
  url.username = role.name
  url.password = role.password
  const asked = openDatabase({ url: url.toString(), schema: 'marsh' })
  const held = openDatabase({ url: url.toString(), schema: 'marsh', prepared: false, settingsOfLogin: true })
  try {
    const names = sessionSettings('marsh').map(([setting]) => setting.toLowerCase())
    const read = sql`select name, setting from pg_settings where lower(name) = any(${names}) order by name`
    const settings = await held.rows<{ name: string; setting: string }>(read)
    expect(settings).toEqual(await asked.rows(read))
    expect(settings).toContainEqual({ name: 'search_path', setting: 'marsh' })
    // A pooler refuses connections with startup settings.
    const source = sql`select count(*)::int as n from pg_settings where source = 'client' and lower(name) = any(${names})`
    expect(await held.row(source)).toEqual({ n: 0 })
    expect(await asked.row(source)).toEqual({ n: names.length })
  } finally {
    await Promise.all([asked.close(), held.close()])
    await client.query(`drop owned by ${role.name}`)
    await client.query(`drop role ${role.name}`)
  }
})

test('the login of a service can use new tables before the last migration ran', async () => {
  const role = { name: `${name}_egret`, password: randomBytes(12).toString('hex') }
  const own = mkdtempSync(join(tmpdir(), 'migrations-'))
  const update = () => migrate({ adminUrl, service: 'pond', role, dir: own })
  const url = new URL(adminUrl)
  url.username = role.name
  url.password = role.password
  writeFileSync(join(own, '0001_nests.sql'), '-- expand: nests\ncreate table nests (id bigint primary key);')
  await update()
  writeFileSync(
    join(own, '0002_eggs.sql'),
    '-- expand: eggs\ncreate table eggs (id bigint generated always as identity);',
  )
  writeFileSync(join(own, '0003_broken.sql'), '-- expand: broken\nselect 1 from nowhere;')
  await expect(update()).rejects.toThrow('nowhere')
  const db = openDatabase({ url: url.toString(), schema: 'pond' })
  try {
    expect(await db.run(sql`insert into eggs default values`)).toBe(1)
  } finally {
    await db.close()
    rmSync(own, { recursive: true })
    await client.query(`drop owned by ${role.name}`)
    await client.query(`drop role ${role.name}`)
  }
})
