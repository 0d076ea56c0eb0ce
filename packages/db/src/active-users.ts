/**
 * Number of distinct active users of a period. The counters count active users by active day and by the previous active
 * day of the same user. Further counters use months and years instead of days.
 */
import type { DayCountQuery } from './day-count-query.js'
import { type Sql, sql } from './sql.js'

const DAY_MS = 86_400_000
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const addDays = (day: string, days: number): string => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)
const addMonth = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return dayOf(Date.UTC(year, number, 1))
}

/** Year of the oldest counters. */
const FIRST_YEAR = 1970
const range = (from: number, until: number): number[] =>
  Array.from({ length: Math.max(0, until - from) }, (_, at) => from + at)
const digits = (number: number): string => String(number).padStart(2, '0')

/**
 * Keys of counters for users whose previous active day is before `day`: earlier years, earlier months of its year, and
 * earlier days of its month.
 */
export const keysBefore = (day: string): { years: string[]; months: string[]; days: string[] } => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return {
    // The key `y/` counts users without a previous active day.
    years: ['y/', ...range(FIRST_YEAR, year).map((one) => `y/${one}`)],
    months: range(1, month).map((one) => `m/${day.slice(0, 4)}-${digits(one)}`),
    days: range(1, date).map((one) => `${day.slice(0, 7)}-${digits(one)}`),
  }
}

/** Period of days from `from` to `until`; `until` is not included. */
export type Span = readonly [from: string, until: string]

/** Splits a period into its whole months and the days before and after them. Spans without days are left out. */
export const spansOf = (since: string, until: string): { months: Span[]; days: Span[] } => {
  const end = addDays(until, 1)
  const first = since.endsWith('-01') ? since : addMonth(since.slice(0, 7))
  const last = `${end.slice(0, 7)}-01`
  const isWhole = first < last
  const parts: Span[] = isWhole
    ? [
        [since, first],
        [last, end],
      ]
    : [[since, end]]
  return { months: isWhole ? [[first, last]] : [], days: parts.filter(([from, to]) => from < to) }
}

/**
 * Period of a query for distinct active users; null for other queries. Such a query counts active days in the period
 * whose previous active day is before the period, so each user counts once.
 */
export const distinctPeriod = ({
  metric,
  keys,
  under,
  between,
  since,
  until,
  by,
  ...more
}: DayCountQuery): Span | null =>
  metric === 'active' &&
  keys?.join() === '' &&
  keys.length === 1 &&
  (under ?? []).length === 0 &&
  since !== undefined &&
  until !== undefined &&
  since <= until &&
  between?.[0] === '0' &&
  between[1] === addDays(since, -1) &&
  by.length === 0 &&
  Object.values(more).every((one) => one === undefined || one === false)
    ? [since, until]
    : null

/**
 * Query of the number of distinct active users of a period, which is a sum of counters. Each part of the query reads at
 * most one row for each of its keys and days or months. For two years, the query reads some thousand rows, whatever the
 * number of users is.
 */
export const distinctUsers = ([since, until]: Span): Sql => {
  const { years, months, days } = keysBefore(since)
  const spans = spansOf(since, until)
  const counters = (metric: string, keys: readonly string[], [from, to]: Span): Sql =>
    sql`select c.value from unnest(${keys}::text[]) as wanted(key) cross join lateral (
      select value from day_counts d where d.metric = ${metric} and d.key = wanted.key
        and d.day >= ${from}::date and d.day < ${to}::date offset 0) c`
  const parts = [
    ...spans.months.map((span) =>
      counters('active-months', [...years, ...months, ...days.map((one) => `d/${one}`)], span),
    ),
    ...spans.days.map((span) => counters('active-days', [...years, ...months], span)),
    ...spans.days.map((span) => counters('active', days, span)),
  ]
  const changed = sql`select value from day_count_changes where metric = 'active'
    and (key = '' or (key >= '0' and key < ${since}::text)) and day >= ${since}::date and day <= ${until}::date`
  const all = parts.reduce((joined, part) => sql`${joined} union all ${part}`, changed)
  return sql`select null::text as key, null::text as day, sum(value)::text as value from (${all}) counted
    having sum(value) <> 0`
}
