/** The counters that the dashboard reads are bounded, however old the server is, and equal the rows. */
import { readFile } from 'node:fs/promises'
import { app as accounts } from '@murmuration/accounts'
import { foldDayCounts, type Reader, readDayCounts, type Sql, sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DomainMeasure } from '../src/dashboard/measure.rules.js'
import { planDomain } from '../src/dashboard/measure.rules.js'
import { daysOf, monthsOf, type Period } from '../src/dashboard/period.rules.js'
import { cohortsOf, type Frequency, retentionQueries } from '../src/dashboard/retention.rules.js'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts] })
})
afterAll(() => cluster.stop())
const db = () => cluster.db('accounts')
beforeEach(async () => {
  for (const table of [sql`users`, sql`accounts`, sql`day_counts`, sql`day_count_changes`, sql`day_count_totals`])
    await db().run(sql`delete from ${table}`)
})

/** Runs the statement of a migration that begins with `insert`. */
const runMigration = async (path: string) => {
  const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const statement = text.slice(text.indexOf('insert into '))
  await db().run({ parts: [statement], values: [], text: statement } as unknown as Sql)
}

/** Number of rows of counters that `read` reads, by EXPLAIN. Each scan must use an index, and remove no rows. */
const rowsReadBy = async (read: (reader: Reader) => Promise<unknown>): Promise<number> => {
  const lines: string[] = []
  const rows = async (query: Sql) => {
    const plan = await db().rows<Record<string, string>>(sql`explain (analyze, timing off) ${query}`)
    lines.push(...plan.map((row) => row['QUERY PLAN'] ?? ''))
    return []
  }
  await read({ rows } as Partial<Reader> as Reader)
  const scans = lines.filter((line) => /Scan .*on day_count(s|_totals)\b/.test(line))
  expect(scans).not.toEqual([])
  expect(scans.join()).not.toMatch(/Seq Scan/)
  expect(lines.join('\n')).not.toMatch(/Rows Removed by Filter: [1-9]/)
  return scans.reduce((sum, scan) => {
    const [, found, loops] = /actual .*rows=([\d.]+) loops=(\d+)/.exec(scan) ?? []
    return sum + Number(found) * Number(loops)
  }, 0)
}

const retention = async (frequency: Frequency, periods: string[], reader: Reader = db()) => {
  const found = await Promise.all(retentionQueries(frequency, periods).map((query) => readDayCounts(reader, query)))
  return cohortsOf(frequency, periods, found.flat())
}

/** Active users by period of sign-up and period, from the rows of users. */
const fromRows = async (frequency: Frequency, periods: string[]) => {
  const period = (time: Sql) => sql`left(utc_day(${time})::text, ${frequency === 'month' ? 7 : 10})`
  const rows = await db().rows<{ joined: string; active: string; users: number }>(
    sql`select ${period(sql`created_at`)} as joined, ${period(sql`active_at`)} as active, count(*)::int as users
      from users group by 1, 2`,
  )
  return periods.map((joined) =>
    periods
      .filter((one) => one >= joined)
      .map((one) =>
        rows.reduce((sum, row) => sum + (row.joined === joined && row.active >= one ? row.users : 0), 0).toString(),
      ),
  )
}

const addUsers = async (from: number, to: number) => {
  await db().run(sql`insert into accounts (id, username, uri, url, created_at)
    select n, 'u' || n, 'https://x.example/' || n, '', now() from generate_series(${from}::int, ${to}::int) n`)
  await db().run(sql`insert into users (id, account_id, email, locale, created_at, active_at)
    select n, n, n || '@mail.example', 'en', joined, joined + (n * 7919 % 700) * interval '1 day'
    from generate_series(${from}::int, ${to}::int) n,
      lateral (select timestamptz '2023-11-20' + (n * 104729 % 300) * interval '1 day' as joined) at`)
}

const SPANS: [Frequency, Period][] = [
  ['day', { since: '2023-12-20', until: '2024-01-15' }],
  ['day', { since: '2024-01-01', until: '2024-01-31' }],
  ['day', { since: '2023-12-01', until: '2023-12-31' }],
  ['day', { since: '2024-02-29', until: '2024-02-29' }],
  ['month', { since: '2023-11-01', until: '2024-10-05' }],
  ['month', { since: '2023-11-01', until: '2023-12-05' }],
  ['month', { since: '2024-03-01', until: '2024-03-02' }],
]

test('retention of any period equals the rows of users, while they change', async () => {
  const check = async () => {
    for (const [frequency, span] of SPANS) {
      const periods = frequency === 'month' ? monthsOf(span, 12) : daysOf(span)
      const found = (await retention(frequency, periods)).map((one) => one.data.map((cell) => cell.value))
      expect([frequency, span, found]).toEqual([frequency, span, await fromRows(frequency, periods)])
      expect(Number(found[0]?.[0])).toBeGreaterThan(0)
    }
  }
  await addUsers(1, 500)
  await check()
  while ((await db().tx((tx) => foldDayCounts(tx, 900))) > 0);
  await addUsers(501, 700)
  await db().run(sql`update users set active_at = active_at + interval '200 days' where id % 3 = 0`)
  await db().run(sql`delete from users where id % 7 = 0`)
  await check()
  while ((await db().tx((tx) => foldDayCounts(tx, 900))) > 0);
  await check()
  // The counters of an earlier release are summed by the migration, and once.
  await db().run(sql`delete from day_counts where metric in ('cohort-month', 'cohort-year', 'month-cohort-year')`)
  for (const _ of [1, 2]) await runMigration('services/accounts/migrations/0351_cohort_spans_before.sql')
  await check()
})

test('retention of an old period is read from few counters, also after ten years', async () => {
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select 'cohort', joined::date::text, active::date, 3
    from generate_series(timestamp '2016-01-01', '2016-12-31', '1 day') joined,
      generate_series(joined, timestamp '2025-12-30', '1 day') active
    where extract(month from joined) = 1 or extract(day from joined) = 1`)
  await runMigration('services/accounts/migrations/0351_cohort_spans_before.sql')
  await db().run(sql`analyze day_counts`)
  const days = daysOf({ since: '2016-01-01', until: '2016-01-31' })
  const months = monthsOf({ since: '2016-01-01', until: '2016-12-31' }, 12)
  expect((await retention('day', days))[0]?.data.map((cell) => cell.value).slice(0, 2)).toEqual(['10956', '10953'])
  const [ofDays, ofMonths] = [
    await rowsReadBy((reader) => retention('day', days, reader)),
    await rowsReadBy((reader) => retention('month', months, reader)),
  ]
  // Each cohort has a row for each day of its month, each later month of its year, and each later year.
  expect(ofDays).toBeLessThanOrEqual(31 * (31 + 11 + 9))
  expect(ofMonths).toBeLessThanOrEqual(12 * (12 + 9))
})

const MEASURES: DomainMeasure[] = [
  'instance_accounts',
  'instance_media_attachments',
  'instance_reports',
  'instance_statuses',
  'instance_follows',
  'instance_followers',
]
const totalOf = (key: DomainMeasure, domain: string, include_subdomains: boolean) =>
  planDomain(key, { domain, include_subdomains }, { since: '2026-01-01', until: '2026-01-31' }).total
const read = async (key: DomainMeasure, domain: string, include_subdomains = false) =>
  (await readDayCounts(db(), totalOf(key, domain, include_subdomains)))[0]?.value

test('measures of a domain of all time are read from one counter for each domain, also after ten years', async () => {
  const metrics = MEASURES.map((key) => totalOf(key, 'far.example', false).metric)
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select metric, 'elpmaxe.raf' || case n when 0 then '' else '.' || n end, day::date, 2
    from unnest(${metrics}::text[]) metric, generate_series(0, 3) n,
      generate_series(timestamp '2016-01-01', '2025-12-31', '1 day') day`)
  await db().run(sql`insert into day_counts (metric, key, day, value)
    select metric, 'elpmaxe.' || n, '2016-01-01', 1 from unnest(${metrics}::text[]) metric, generate_series(1, 2000) n`)
  await db().run(sql`analyze`)
  for (const key of MEASURES) {
    expect([key, await read(key, 'far.example'), await read(key, 'far.example', true)]).toEqual([
      key,
      String(3_653 * 2),
      String(4 * 3_653 * 2),
    ])
    expect(await rowsReadBy((reader) => readDayCounts(reader, totalOf(key, 'far.example', false)))).toBe(1)
    expect(await rowsReadBy((reader) => readDayCounts(reader, totalOf(key, 'far.example', true)))).toBe(4)
  }
})

test('sums of all time follow each change of the counters, and changes that are not folded', async () => {
  const change = (value: number, domain = 'elpmaxe.raf', day = '2026-01-01') =>
    db().run(
      sql`insert into day_count_changes (metric, key, day, value) values ('status', ${domain}, ${day}, ${value})`,
    )
  const fold = () => db().tx((tx) => foldDayCounts(tx, 100))
  const isEqual = async () =>
    expect(
      await db().rows(sql`select metric, key, value::int from day_count_totals where value <> 0 order by 1, 2`),
    ).toEqual(
      await db().rows(sql`select metric, key, sum(value)::int as value from day_counts where has_total(metric)
        group by 1, 2 having sum(value) <> 0 order by 1, 2`),
    )
  await change(5)
  expect(await read('instance_statuses', 'far.example')).toBe('5')
  await fold()
  await change(-2)
  await change(4, 'elpmaxe.raf', '2026-01-02')
  await change(7, 'elpmaxe.raf.a')
  expect(await read('instance_statuses', 'far.example')).toBe('7')
  await fold()
  expect([
    await read('instance_statuses', 'far.example'),
    await read('instance_statuses', 'far.example', true),
  ]).toEqual(['7', '14'])
  await isEqual()
  await db().run(sql`update day_count_totals set value = 1 where key = 'elpmaxe.raf.a'`)
  await db().run(sql`delete from day_count_totals where key = 'elpmaxe.raf'`)
  for (const _ of [1, 2]) await runMigration('packages/db/migrations/0007_day_count_totals_before.sql')
  await isEqual()
  expect(await read('instance_statuses', 'far.example', true)).toBe('14')
})
