/** The order in which a statement inserts rows that may exist already. It waits for transactions that insert or change the same rows. */

/** The query of rows that may exist, from `insert into` to `on conflict`. */
const UPSERT = /\binsert into\b((?:(?!\binsert into\b).)*?)\bon conflict\b/gis
/** Signs of a query that returns many rows. */
const MANY = /\bunnest\(|recordset\(|\bgroup by\b|\b(?:id|name|\w+_id) = any\(/i

/**
 * Problem of an insert of many rows with `on conflict` and without `order by`; null if there is none. Two transactions with common rows
 * in different orders would wait for each other.
 */
export const orderProblem = (text: string): string | null =>
  [...text.matchAll(UPSERT)].some(([, rows = '']) => MANY.test(rows) && !/\border by\b/i.test(rows))
    ? 'locks rows in no fixed order: an insert of many rows with `on conflict` needs `order by` its key'
    : null
