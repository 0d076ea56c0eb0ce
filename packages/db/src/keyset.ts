/** Cursor paging by a descending id: conditions, order and limit of a query for one page, and the order of the returned rows. */
import { type Sql, sql } from './sql.js'

export interface Cursor {
  limit: number
  max_id?: string | undefined
  since_id?: string | undefined
  min_id?: string | undefined
}

/**
 * True for a page directly above `min_id`, whose rows are selected in ascending order; otherwise they are selected
 * newest first.
 */
export const isAscending = (page: Cursor): boolean => page.min_id !== undefined

/**
 * End of a keyset query: `and id < … order by id … limit …`. Follows a `where` with a condition.
 * @param column a trusted column name, such as sql`s.id`
 */
export const keyset = (column: Sql, page: Cursor): Sql => {
  const below = page.max_id === undefined ? sql`` : sql`and ${column} < ${page.max_id}::bigint`
  const above = page.min_id ?? page.since_id
  const over = above === undefined ? sql`` : sql`and ${column} > ${above}::bigint`
  return isAscending(page)
    ? sql`${below} ${over} order by ${column} asc limit ${page.limit}`
    : sql`${below} ${over} order by ${column} desc limit ${page.limit}`
}

/** The rows of a page newest first, whatever the order of the query was. */
export const newestFirst = <T>(rows: readonly T[], page: Cursor): T[] =>
  isAscending(page) ? rows.toReversed() : [...rows]

/** First and last id of a page for its Link header. `full`: the page has as many rows as requested. */
export const endsOf = (ids: readonly string[], page: Cursor) => ({
  first: ids[0] ?? null,
  last: ids.at(-1) ?? null,
  full: ids.length >= page.limit && page.limit > 0,
})
