/**
 * Checks whether rows exist. Simultaneous checks are one statement, because these checks are most of the work of an
 * idle server.
 */
import { createBatcher } from '@murmuration/flow'
import { type Sql, sql } from './sql.js'

/** Maximum number of checks in one statement. */
const MAX_CHECKS = 30

/** A statement with one row, whose column `found` has one value for each query. */
export const checkOf = (queries: readonly Sql[]): Sql => {
  const each = queries.map((query) => sql`exists(${query})`)
  const list = each.reduce((all, one) => sql`${all}, ${one}`)
  return sql`select array[${list}] as found`
}

/**
 * Makes a function that resolves to true when its query has a row. A failed check does not affect the others. `row` is
 * called with the number of checks that the statement contains.
 */
export const createChecks = (
  row: (query: Sql, checks: number) => Promise<{ found: boolean[] } | null>,
): ((query: Sql) => Promise<boolean>) =>
  createBatcher<Sql, boolean>(
    async (queries) => {
      // The checks are sorted, so that the same checks always give the same text of the statement. PostgreSQL has one
      // entry of statistics per text.
      const sorted = [...queries].sort((a, b) => (a.text < b.text ? -1 : 1))
      const found = (await row(checkOf(sorted), sorted.length))?.found ?? []
      return queries.map((query) => found[sorted.indexOf(query)] === true)
    },
    { max: MAX_CHECKS, concurrency: 8 },
  )
