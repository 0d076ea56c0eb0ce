/** Tests of counters per day: updated with each change, counted once for older rows, and equal to the rows. */
import { readFile } from 'node:fs/promises'
import { readAccountDayCounts } from '@murmuration/contracts/accounts'
import { backfillDayCounts, foldDayCounts, type Reader, readDayCounts, type Sql, sql } from '@murmuration/db'
import { keepDayCounts } from '@murmuration/kernel'
import { type Cluster, plansOf, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordActivity } from '../src/core/user/store.js'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
const db = () => cluster.db('accounts')
beforeEach(async () => {
  for (const table of [sql`follows`, sql`users`, sql`accounts`]) await db().run(sql`delete from ${table}`)
  for (const table of [sql`day_counts`, sql`day_count_totals`, sql`day_count_changes`, sql`day_count_backfills`])
    await db().run(sql`delete from ${table}`)
})

const addAccounts = (from: number, to: number) =>
  db().run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'a' || n, case when n % 3 > 0 then 'd' || n % 5 || '.example' end, 'https://x.example/' || n, '', now() - n * interval '1 hour'
    from generate_series(${from}::int, ${to}::int) as n`)
const addUsers = (from: number, to: number) =>
  db().run(sql`insert into users (id, account_id, email, locale, active_at, created_at)
    select n, n, n || '@mail.example', case when n % 2 = 0 then 'de' else 'en' end, now() - n * interval '1 hour', now() - n * interval '3 hours'
    from generate_series(${from}::int, ${to}::int) as n where n % 3 = 0`)
const addFollows = (from: number, to: number) =>
  db().run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select n, n, 1 + n % 50, n % 3 = 0, now() - n * interval '1 hour' from generate_series(${from}::int, ${to}::int) as n
    where n <> 1 + n % 50`)

/** Sums by metric, key and day, without zeros. */
const sums = (from: Sql) =>
  db().rows(sql`select metric, key, day::text, sum(value)::int as value from (${from}) c
    where metric not like 'active%' group by 1, 2, 3 having sum(value) <> 0 order by 1, 2, 3`)
const counted = () =>
  sums(
    sql`select metric, key, day, value from day_counts union all select metric, key, day, value from day_count_changes`,
  )
const fromRows = () =>
  sums(sql`select c.* from accounts a, account_counts(a) c union all select c.* from follows f, follow_counts(f) c
    union all select c.* from users u, user_counts(u) c
    union all select 'joined', '', utc_day(u.created_at), 1 from users u
    union all select s.* from users u cross join lateral user_counts(u) c
      cross join lateral cohort_spans(c.key, c.day, c.value) s where c.metric = 'cohort'`)
/** Sums of all days by metric and key, as stored and from the counters of days. */
const totals = async () => [
  await db().rows(sql`select metric, key, value::int from day_count_totals where value <> 0 order by 1, 2`),
  await db().rows(sql`select metric, key, sum(value)::int as value from day_counts
    where metric in ('account', 'follow', 'follower') group by 1, 2 having sum(value) <> 0 order by 1, 2`),
]
/** Active users by day: as one row for each day, and summed over the days before. */
const activeByDay = (metric: 'active' | 'active-day') => readDayCounts(db(), { metric, by: ['day'] })
const leaveToBackfill = () =>
  db().run(sql`insert into day_count_backfills (name, counts, below) select name, counts, 9223372036854775807 from (values
    ('accounts', 'account_counts'), ('follows', 'follow_counts'), ('users', 'user_backfill')) as v(name, counts)`)

/** Runs the statement of a migration that begins with `start`. */
const migrationOf = async (name: string, start: string) => {
  const migration = await readFile(new URL(`../migrations/${name}`, import.meta.url), 'utf8')
  const text = migration.slice(migration.indexOf(start))
  return () => db().run({ parts: [text], values: [], text } as unknown as Sql)
}

test('counters equal the rows after inserts, changes and deletions', async () => {
  await addAccounts(1, 61)
  await addUsers(1, 60)
  await addFollows(1, 60)
  await db().run(sql`update users set active_at = now(), locale = 'fr' where id % 6 = 0`)
  await db().run(sql`update accounts set domain = 'moved.example' where id = 61`)
  await db().run(sql`delete from follows where id % 4 = 0`)
  await db().run(sql`delete from users where id % 9 = 0`)
  await db().run(sql`update users set active_at = now() + interval '1 second' where id = 6`)
  expect((await counted()).length).toBeGreaterThan(50)
  expect(await counted()).toEqual(await fromRows())
  await keepDayCounts(db())
  expect(await db().rows(sql`select 1 from day_count_changes`)).toEqual([])
  expect(await counted()).toEqual(await fromRows())
  const [stored, summed] = await totals()
  expect(stored).toEqual(summed)
  expect(stored?.length).toBeGreaterThan(5)
  expect((await activeByDay('active')).length).toBeGreaterThan(1)
  expect(await activeByDay('active-day')).toEqual(await activeByDay('active'))
})

test('counters of an earlier release are summed by day', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value) values ('cohort', '2026-01-01', '2026-02-01', 2),
    ('cohort', '2026-01-01', '2026-03-01', 3), ('cohort', '2026-01-02', '2026-02-01', 0), ('active', '', '2026-02-01', 4),
    ('active', '2026-02-01', '2026-03-01', 5), ('account', 'x', '2026-02-01', 6)`)
  await db().run(
    sql`insert into day_count_changes (metric, key, day, value) values ('cohort', '2026-01-02', '2026-03-01', 7)`,
  )
  // The trigger has counted the change only.
  const run = await migrationOf('0334_day_counts_by_day_before.sql', 'insert into day_count_changes ')
  await run()
  await run()
  const joined = await readDayCounts(db(), { metric: 'joined', by: ['day'] })
  expect(joined.map(({ day, value }) => [day, value])).toEqual([
    ['2026-01-01', '5'],
    ['2026-01-02', '7'],
  ])
  expect(await activeByDay('active-day')).toEqual(await activeByDay('active'))
})

test('two years of new and active users are read from one row for each day', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select metric, case when metric in ('joined', 'active-day') then '' else s::date::text end, (s + n * interval '1 day')::date, 5
      from generate_series('2024-01-01'::timestamp, '2025-12-30', '1 day') s cross join generate_series(0, 40) n
      cross join unnest(array['cohort', 'active', 'joined', 'active-day']) metric
      where n = 0 or metric in ('cohort', 'active')`)
  await db().run(sql`analyze day_counts`)
  for (const metric of ['joined', 'active-day']) {
    const lines: string[] = []
    const analyze = async (query: Sql) => {
      const plan = await db().rows<Record<string, string>>(sql`explain (analyze, timing off) ${query}`)
      lines.push(...plan.map((row) => row['QUERY PLAN'] ?? ''))
      return []
    }
    const reader = { rows: analyze } as Partial<Reader> as Reader
    await readDayCounts(reader, { metric, since: '2024-01-01', until: '2025-12-30', by: ['day'] })
    const scans = lines.filter((line) => /Scan .*on day_counts/.test(line))
    expect(scans).not.toEqual([])
    expect(scans.join()).not.toMatch(/Seq Scan/)
    for (const scan of scans) expect(Number(/actual .*rows=([\d.]+)/.exec(scan)?.[1])).toBeLessThanOrEqual(730)
  }
})

/** Active users of a period as the dashboard asks for them. */
const distinct = async (since: string, until: string, db_: Reader = db()) => {
  const dayBefore = new Date(Date.parse(since) - 86_400_000).toISOString().slice(0, 10)
  const query = { metric: 'active', since, until, keys: [''], between: ['0', dayBefore] as [string, string], by: [] }
  return Number((await readDayCounts(db_, query))[0]?.value ?? 0)
}
const dayAt = (n: number) => new Date(Date.UTC(2024, 10, 20) + n * 86_400_000).toISOString().slice(0, 10)

test('distinct active users of any period are those with an active day in it', async () => {
  let state = 7
  const random = (max: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % max
  }
  const active: Set<string>[] = Array.from({ length: 40 }, () => new Set())
  for (const [n, days] of active.entries()) {
    const joined = random(300)
    days.add(dayAt(joined))
    await db().run(sql`insert into accounts (id, username, domain, uri, url, created_at)
      values (${n + 1}, ${`u${n}`}, null, ${`https://x.example/${n}`}, '', now())`)
    await db().run(sql`insert into users (id, account_id, email, locale, active_at, created_at)
      values (${n + 1}, ${n + 1}, ${`${n}@mail.example`}, 'en', ${dayAt(joined)}::timestamptz, ${dayAt(joined)}::timestamptz)`)
    if (n === 20) await keepDayCounts(db())
  }
  // Days pass for all users together, and the changes are added to the counters now and then.
  for (let day = 301; day < 520; day++) {
    const ids = [...active.keys()].filter(() => random(9) === 0)
    for (const id of ids) active[id]?.add(dayAt(day))
    await db().run(sql`update users set active_at = ${dayAt(day)}::timestamptz + interval '1 hour'
      where id = any(${ids.map((id) => String(id + 1))}::bigint[])`)
    if (day % 50 === 0) await db().tx((tx) => foldDayCounts(tx, 70))
  }
  const check = async () => {
    for (let round = 0; round < 60; round++) {
      const first = random(520)
      const [since, until] = [dayAt(first), dayAt(first + random(round % 2 ? 500 : 40))]
      const expected = active.filter((days) => [...days].some((day) => day >= since && day <= until)).length
      expect([since, until, await distinct(since, until)]).toEqual([since, until, expected])
    }
  }
  await check()
  while ((await db().tx((tx) => foldDayCounts(tx, 300))) > 0);
  expect(await db().rows(sql`select 1 from day_count_changes`)).toEqual([])
  await check()
  // The counters of an earlier release are summed by a migration, and once.
  await db().run(sql`delete from day_counts where metric in ('active-days', 'active-months') and day > '2025-03-01'`)
  const run = await migrationOf('0342_active_spans_before.sql', 'insert into day_counts ')
  await run()
  await run()
  await check()
})

test('distinct active users of two years are read from some thousand rows, and those of a month from a few', async () => {
  // Three years in which users come back after up to seven hundred days.
  for (let from = 1; from <= 50; from += 10)
    await db().run(sql`insert into day_counts (metric, key, day, value)
      select 'active', s::date::text, (s + n * interval '14 days')::date, 5
        from generate_series('2023-01-01'::timestamp, '2025-12-30', '1 day') s
        cross join generate_series(${from}::int, ${from + 9}::int) n`)
  await db().run(sql`analyze day_counts`)
  const rowsOf = async (since: string, until: string): Promise<number> => {
    const lines: string[] = []
    const analyze = async (query: Sql) => {
      const plan = await db().rows<Record<string, string>>(sql`explain (analyze, timing off) ${query}`)
      lines.push(...plan.map((row) => row['QUERY PLAN'] ?? ''))
      return []
    }
    await distinct(since, until, { rows: analyze } as Partial<Reader> as Reader)
    const scans = lines.filter((line) => /Scan .*on day_counts/.test(line))
    expect(scans.join()).not.toMatch(/Seq Scan/)
    expect(lines.join()).not.toMatch(/Rows Removed by Filter: [1-9]\d{3}/)
    return scans.reduce((sum, scan) => {
      const [, rows, loops] = /actual .*rows=([\d.]+) loops=(\d+)/.exec(scan) ?? []
      return sum + Number(rows) * Number(loops)
    }, 0)
  }
  const [years, month] = [await rowsOf('2024-01-15', '2025-12-29'), await rowsOf('2025-11-18', '2025-12-17')]
  expect(years).toBeGreaterThan(0)
  expect(years, 'years').toBeLessThan(2_000)
  expect(month).toBeGreaterThan(0)
  expect(month).toBeLessThan(1_000)
})

test('the first use of a day changes the counters in one statement, and later ones do not', async () => {
  await addAccounts(1, 6)
  await addUsers(1, 6)
  await db().run(sql`update users set active_at = '2026-03-01T08:00:00Z'`)
  await db().run(sql`delete from day_count_changes`)
  const at = (time: string) => recordActivity(db(), '3', null, new Date(time))
  await at('2026-03-02T09:00:00Z')
  const changes = () => db().rows(sql`select metric, key, day::text, value::int from day_count_changes order by id`)
  const once = await changes()
  expect(once).toHaveLength(6)
  expect(once).toEqual(
    expect.arrayContaining([
      { metric: 'active', key: '2026-03-01', day: '2026-03-02', value: 1 },
      { metric: 'active-day', key: '', day: '2026-03-02', value: 1 },
    ]),
  )
  await Promise.all(Array.from({ length: 50 }, (_, n) => at(`2026-03-02T09:00:${String(n + 1).padStart(2, '0')}Z`)))
  expect(await changes()).toEqual(once)
})

test('a change that is rolled back is not counted', async () => {
  await expect(
    db().tx(async (tx) => {
      await tx.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
        values (9, 'x', 'd.example', 'https://d.example/9', '', now())`)
      throw new Error('stop')
    }),
  ).rejects.toThrow('stop')
  expect(await counted()).toEqual([])
})

test('changes are added once when several processes add them at the same time', async () => {
  await addAccounts(1, 200)
  await Promise.all(
    [1, 2].map(async () => {
      while ((await db().tx((tx) => foldDayCounts(tx, 7))) > 0);
    }),
  )
  expect(await db().rows(sql`select 1 from day_count_changes`)).toEqual([])
  expect(await counted()).toEqual(await fromRows())
})

test('the backfill counts each older row once while rows are added, changed and deleted', async () => {
  await addAccounts(1, 300)
  await addUsers(1, 300)
  await addFollows(1, 300)
  await db().run(sql`delete from day_count_changes`)
  await leaveToBackfill()
  const backfill = async () => {
    while ((await db().rows(sql`select 1 from day_count_backfills`)).length > 0)
      await db().tx((tx) => backfillDayCounts(tx, 20))
  }
  const life = async () => {
    for (let n = 0; n < 20; n++) {
      await addAccounts(301 + n, 301 + n)
      await db().run(sql`update users set active_at = now() where id = ${String(3 * (100 - n))}`)
      await db().run(sql`delete from follows where id = ${String(299 - 13 * n)}`)
      await addFollows(301 + n, 301 + n)
      await db().run(sql`update users set locale = 'fr' where id = ${String(3 * (99 - 2 * n))}`)
    }
  }
  await Promise.all([backfill(), life()])
  expect(await counted()).toEqual(await fromRows())
  expect(await activeByDay('active-day')).toEqual(await activeByDay('active'))
})

test('a step of the backfill reads a bounded number of rows', async () => {
  await addAccounts(1, 50)
  await db().run(sql`delete from day_count_changes`)
  await leaveToBackfill()
  expect(await db().tx((tx) => backfillDayCounts(tx, 20))).toBe(20)
  expect(await db().rows(sql`select below::text from day_count_backfills where name = 'accounts'`)).toEqual([
    { below: '31' },
  ])
  await keepDayCounts(db())
  expect(await counted()).toEqual(await fromRows())
})

test('sums are read by key, by part of a key, by month, and the largest first', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value) values ('m', 'a/x', '2026-01-01', 2),
    ('m', 'a/y', '2026-01-31', 3), ('m', 'b/x', '2026-02-01', 4), ('m', 'ab', '2026-02-02', 9), ('n', 'a/x', '2026-01-01', 7)`)
  await db().run(sql`insert into day_count_changes (metric, key, day, value) values ('m', 'a/x', '2026-01-01', 1)`)
  const read = async (query: object) =>
    (
      await cluster.call(readAccountDayCounts, { queries: [{ metric: 'm', by: [], ...query }] as never })
    ).results[0]?.map((one) => [one.key, one.day, one.value])
  expect(await read({})).toEqual([[null, null, '19']])
  expect(await read({ under: ['a/'], by: ['key'] })).toEqual([
    ['a/x', null, '3'],
    ['a/y', null, '3'],
  ])
  expect(await read({ under: ['a/', 'b/'], by: ['key'], part: 2, largest: 1 })).toEqual([['x', null, '7']])
  expect(await read({ keys: ['ab'], since: '2026-02-02', until: '2026-02-02', by: ['day'] })).toEqual([
    [null, '2026-02-02', '9'],
  ])
  expect(await read({ between: ['a/x', 'a/y'], by: ['day'], months: true })).toEqual([[null, '2026-01', '6']])
})

test('an index serves the counters of one metric and key', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select 'm' || n % 20, 'k' || n % 500, date '2026-01-01' + n / 500, 1 from generate_series(0, 39999) as n`)
  await db().run(sql`analyze day_counts`)
  const plan = await db().rows<{ 'QUERY PLAN': string }>(
    sql`explain select sum(value) from day_counts where metric = 'm1' and (key >= 'k1' and key < 'k2') and day >= '2026-01-05'`,
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index/)
})

test('the followed accounts of a domain are ranked by an index, also with changes that are not folded', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select 'followed', 'd' || n % 3 || '/name' || n, date '1970-01-01', n / 10 from generate_series(1, 30000) as n`)
  await db().run(sql`insert into day_count_changes (metric, key, day, value) values
    ('followed', 'd1/name29998', '1970-01-01', -2990), ('followed', 'd1/name29995', '1970-01-01', -1),
    ('followed', 'd1/name1', '1970-01-01', 4000), ('followed', 'd1/new', '1970-01-01', 3500),
    ('followed', 'd1/name4', '1970-01-01', 1), ('followed', 'd1/name4', '1970-01-01', 1)`)
  await db().run(sql`analyze day_counts`)
  const query = { metric: 'followed', under: ['d1/'], by: ['key' as const], part: 2, largest: 7 }
  const found = (await cluster.call(readAccountDayCounts, { queries: [query] })).results[0]
  const all = await db().rows(sql`select split_part(key, '/', 2) as key, null as day, sum(value)::text as value from (
      select * from (select key, value from day_counts where key like 'd1/%') stored
      union all select key, value from day_count_changes) counted group by key order by sum(value) desc, key limit 7`)
  expect(found).toEqual(all)
  expect(found?.slice(0, 2).map((one) => one.key)).toEqual(['name1', 'new'])
  expect(await plansOf(db(), (reader) => readDayCounts(reader, query))).toMatch(/day_counts_followed/)
  // Other limits of the query are respected.
  expect(await readDayCounts(db(), { ...query, since: '1970-01-02' })).toEqual([])
  const between: [string, string] = ['d2/name2', 'd2/name2']
  expect(await readDayCounts(db(), { ...query, by: [], between })).toHaveLength(1)
})
