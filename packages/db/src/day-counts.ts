/**
 * Counters by day. Triggers in the services record changes of counters. This file adds the recorded changes to the
 * counters, counts rows that are older than the counters, and reads sums.
 */
import { distinctPeriod, distinctUsers } from './active-users.js'
import type { Reader, Tx } from './database.js'
import type { DayCountQuery } from './day-count-query.js'
import { type Sql, sql } from './sql.js'

/**
 * Adds at most `max` recorded changes to the counters, and returns their number. Concurrent calls in one schema wait
 * for each other. Because triggers on `day_counts` lock further rows, in an order that this statement cannot determine.
 */
export const foldDayCounts = async (tx: Tx, max: number): Promise<number> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('day count folds'), hashtext(current_schema()))`)
  const folded = await tx.row<{ taken: number }>(sql`with taken as (
        delete from day_count_changes where id in (
          select id from day_count_changes order by id limit ${max} for update skip locked)
        returning metric, key, day, value),
      added as (
        insert into day_counts as c (metric, key, day, value)
        select metric, key, day, sum(value)::bigint from taken group by 1, 2, 3 order by 1, 2, 3
        on conflict (metric, key, day) do update set value = c.value + excluded.value)
      select count(*)::int as taken from taken`)
  return folded?.taken ?? 0
}

/**
 * Counts at most `max` rows that are older than the counters, of the first table that still has such rows. Returns the
 * number of counted rows.
 */
export const backfillDayCounts = async (db: Reader, max: number): Promise<number> =>
  (
    await db.row<{ counted: number }>(sql`select backfill_day_counts(name, ${max}) as counted
      from day_count_backfills order by name limit 1`)
  )?.counted ?? 0

export interface DayCount {
  key: string | null
  day: string | null
  /** Decimal digits. The value may be negative while older rows are still being counted. */
  value: string
}

/** Sorts after every character, so `start + END` is above all keys that begin with `start`. */
const END = '\u{10FFFF}'

const keysOf = ({ keys, under, between }: DayCountQuery): Sql => {
  const all: Sql[] = [
    ...(keys ? [sql`key = any(${keys}::text[])`] : []),
    ...(under ?? []).map((start) => sql`(key >= ${start}::text and key < ${start + END}::text)`),
    ...(between ? [sql`(key >= ${between[0]}::text and key <= ${between[1]}::text)`] : []),
  ]
  const [first, ...more] = all
  return first ? sql`and (${more.reduce((joined, one) => sql`${joined} or ${one}`, first)})` : sql``
}

/** The only metric with one row per key, and with an index on `split_part(key, '/', 1), value desc, key`. */
const RANKED = 'followed'

/**
 * The largest counters of the metric `followed` whose keys begin with `under`. Recorded changes that are not added to
 * the counters yet may change the order. So one further counter is read for each key with such a change. The metric is
 * a literal, because the index is partial.
 */
const largestOf = (under: string, max: number): Sql => {
  const keys = sql`metric = 'followed' and key >= ${under}::text and key < ${under + END}::text`
  return sql`with changed as materialized (
      select key, sum(value) as value from day_count_changes where ${keys} group by key),
    top as materialized (select key, value from day_counts
      where metric = 'followed' and split_part(key, '/', 1) = ${under.slice(0, -1)}
      order by value desc, key limit ${max}::int + (select count(*) from changed))
    select split_part(key, '/', 2) as key, null::text as day, sum(value)::text as value from (
      select key, value from top
      union all select c.key, d.value from changed c join day_counts d on d.metric = 'followed' and d.key = c.key
        where not exists (select from top where top.key = c.key)
      union all select key, value from changed) counted
    group by counted.key having sum(value) <> 0 order by sum(value) desc, counted.key limit ${max}`
}

/**
 * Metrics with a sum of all days for each key, in `day_count_totals`. The SQL function `has_total`
 * (`packages/db/migrations/0006_day_count_totals.sql`) has the same list.
 */
const TOTALED = new Set(['account', 'follow', 'follower', 'status', 'attachment', 'report'])

/** The sum of all days of one metric, over the keys of the query. */
const sumOfAllTime = (query: DayCountQuery): Sql => {
  const where = sql`metric = ${query.metric} ${keysOf(query)}`
  return sql`select null::text as key, null::text as day, sum(value)::text as value from (
      select value from day_count_totals where ${where}
      union all select value from day_count_changes where ${where}) counted
    having sum(value) <> 0`
}

/** Sums of one metric, largest first with `largest`, else by key and day. */
export const readDayCounts = (db: Reader, query: DayCountQuery): Promise<DayCount[]> => {
  const { metric, since, until, by, part, months, largest, under = [] } = query
  const distinct = distinctPeriod(query)
  if (distinct !== null) return db.rows<DayCount>(distinctUsers(distinct))
  const prefix = under.length === 1 ? under[0] : undefined
  const isByKey = by.length === 1 && by[0] === 'key' && !months
  const isNarrowed = [since, until, query.keys, query.between].some((one) => one !== undefined)
  if (metric === RANKED && largest !== undefined && part === 2 && prefix?.endsWith('/') && isByKey && !isNarrowed)
    return db.rows<DayCount>(largestOf(prefix, largest))
  if (TOTALED.has(metric) && by.length === 0 && since === undefined && until === undefined)
    return db.rows<DayCount>(sumOfAllTime(query))
  const days = sql`${since === undefined ? sql`` : sql`and day >= ${since}::date`}
    ${until === undefined ? sql`` : sql`and day <= ${until}::date`}`
  const where = sql`metric = ${metric} ${keysOf(query)} ${days}`
  const wholeKey = part === undefined ? sql`key` : sql`split_part(key, '/', ${part})`
  const key = by.includes('key') ? (months ? sql`left(key, 7)` : wholeKey) : sql`null::text`
  const isDaily = by.includes('day')
  const day = isDaily ? sql`day` : sql`null::date`
  const format = months ? 'YYYY-MM' : 'YYYY-MM-DD'
  const order = largest === undefined ? sql`order by 1, 2` : sql`order by sum(value) desc, 1 limit ${largest}`
  const isOfKeys = query.keys !== undefined && under.length === 0 && query.between === undefined
  // Each key is looked up separately (`offset 0`). Otherwise PostgreSQL may read the range of days for all other keys
  // too.
  const stored = isOfKeys
    ? sql`select c.key, c.day, c.value from unnest(${[...new Set(query.keys)]}::text[]) as wanted(wanted_key)
        cross join lateral (select ${key} as key, ${day} as day, value from day_counts
          where metric = ${metric} and key = wanted_key ${days} offset 0) c`
    : sql`select ${key} as key, ${day} as day, value from day_counts where ${where}`
  // Days are converted to text after the summation, because each day has many rows.
  return db.rows<DayCount>(sql`select key, ${isDaily ? sql`to_char(day, ${format}::text)` : sql`null::text`} as day,
      sum(value)::text as value from (
        select key, day, sum(value) as value from (
          ${stored}
          union all select ${key}, ${day}, value from day_count_changes where ${where}) counted
        group by key, day) summed
    group by 1, 2 having sum(value) <> 0 ${order}`)
}
