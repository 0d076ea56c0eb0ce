/** Counters by day: adding up changes, counting older rows in steps, and reading sums. Triggers of the services write the changes. */
import type { Reader } from './database.js'
import { type Sql, sql } from './sql.js'

/** Adds at most `most` changes to the counters; returns how many. Safe to run in several processes at once. */
export const foldDayCounts = async (db: Reader, most: number): Promise<number> =>
  (
    await db.row<{ taken: number }>(sql`with taken as (
        delete from day_count_changes where id in (
          select id from day_count_changes order by id limit ${most} for update skip locked)
        returning metric, key, day, value),
      added as (
        insert into day_counts as c (metric, key, day, value)
        select metric, key, day, sum(value)::bigint from taken group by 1, 2, 3 order by 1, 2, 3
        on conflict (metric, key, day) do update set value = c.value + excluded.value)
      select count(*)::int as taken from taken`)
  )?.taken ?? 0

/** Counts at most `most` older rows of one table that has any left; returns how many. */
export const backfillDayCounts = async (db: Reader, most: number): Promise<number> =>
  (
    await db.row<{ counted: number }>(sql`select backfill_day_counts(name, ${most}) as counted
      from day_count_backfills order by name limit 1`)
  )?.counted ?? 0

export interface DayCountQuery {
  metric: string
  /** Exact keys, or beginnings of keys; every key when both are absent. */
  keys?: readonly string[] | undefined
  under?: readonly string[] | undefined
  /** Keys from the first to the last of these, both included. */
  between?: readonly [string, string] | undefined
  /** Days `YYYY-MM-DD`, both included. */
  since?: string | undefined
  until?: string | undefined
  /** Grouping of the sums; an empty list gives one sum. */
  by: readonly ('day' | 'key')[]
  /** Sums by this part of the key, counted from 1, where parts are separated by `/`. */
  part?: number | undefined
  /** Days, also those in keys, become months `YYYY-MM`. */
  months?: boolean | undefined
  /** The largest sums only. */
  largest?: number | undefined
}

export interface DayCount {
  key: string | null
  day: string | null
  /** Decimal digits, negative only while a backfill runs. */
  value: string
}

/** Above every key with this beginning, in the byte order of the column. */
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

/** Sums of one metric, largest first with `largest`, else by key and day. */
export const readDayCounts = (db: Reader, query: DayCountQuery): Promise<DayCount[]> => {
  const { metric, since, until, by, part, months, largest } = query
  const where = sql`metric = ${metric} ${keysOf(query)}
    ${since === undefined ? sql`` : sql`and day >= ${since}::date`}
    ${until === undefined ? sql`` : sql`and day <= ${until}::date`}`
  const wholeKey = part === undefined ? sql`key` : sql`split_part(key, '/', ${part})`
  const key = by.includes('key') ? (months ? sql`left(key, 7)` : wholeKey) : sql`null::text`
  const day = by.includes('day')
    ? months
      ? sql`to_char(day, 'YYYY-MM')`
      : sql`to_char(day, 'YYYY-MM-DD')`
    : sql`null::text`
  return db.rows<DayCount>(sql`select key, day, sum(value)::text as value from (
      select ${key} as key, ${day} as day, value from day_counts where ${where}
      union all select ${key}, ${day}, value from day_count_changes where ${where}) counted
    group by 1, 2 having sum(value) <> 0
    ${largest === undefined ? sql`order by 1, 2` : sql`order by sum(value) desc, 1 limit ${largest}`}`)
}
