/** Cursor paging over a descending id: the where, order and limit for one page, and the order it comes back in. */
import { type Sql, sql } from './sql.js'

export interface Cursor {
  limit: number
  max_id?: string | undefined
  since_id?: string | undefined
  min_id?: string | undefined
}

/** True when rows are selected oldest first, because `min_id` asks for the page right above it (pagination.md 2). */
export const goesUp = (page: Cursor): boolean => page.min_id !== undefined

/**
 * The tail of a keyset query: `and id < … order by id … limit …`. Write it after a `where`.
 * @param column a trusted column name, such as sql`s.id`
 */
export const keyset = (column: Sql, page: Cursor): Sql => {
  const below = page.max_id === undefined ? sql`` : sql`and ${column} < ${page.max_id}::bigint`
  const above = page.min_id ?? page.since_id
  const over = above === undefined ? sql`` : sql`and ${column} > ${above}::bigint`
  return goesUp(page)
    ? sql`${below} ${over} order by ${column} asc limit ${page.limit}`
    : sql`${below} ${over} order by ${column} desc limit ${page.limit}`
}

/** Rows newest first, whichever way they were selected. */
export const newestFirst = <T>(rows: readonly T[], page: Cursor): T[] => (goesUp(page) ? rows.toReversed() : [...rows])

/** The ends of a page for its Link header; `full` when as many rows as asked for were found. */
export const endsOf = (ids: readonly string[], page: Cursor) => ({
  first: ids[0] ?? null,
  last: ids.at(-1) ?? null,
  full: ids.length >= page.limit && page.limit > 0,
})
