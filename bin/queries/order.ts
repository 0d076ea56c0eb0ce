/**
 * The order in which a statement locks many rows: those that it inserts and that may exist already, and those that it updates. It waits
 * for transactions that insert or change the same rows.
 */

/** The query of rows that may exist, from `insert into` to `on conflict`. */
const UPSERT = /\binsert into\b((?:(?!\binsert into\b).)*?)\bon conflict\b/gis
/** Signs of a query that returns many rows. */
const MANY = /\bunnest\(|recordset\(|\bgroup by\b|\b(?:id|name|\w+_id) = any\(/i

/** Updates with many rows of values, in tables whose rows several processes change in batches at the same time. */
const UPDATE =
  /\bupdate (?:account_stats|deliveries|inbox_activities|lanes|requests|status_stats)\b(?:(?!\bupdate\b).)*?\bfrom\b/is
const VALUES = /\bunnest\(/i
/** A query that locks the rows of an update in a fixed order first. */
const LOCKED = /\border by\b[^()]*\bfor (?:no key )?update\b/i

const UPSERT_PROBLEM =
  'locks rows in no fixed order: an insert of many rows with `on conflict` needs `order by` its key'
const UPDATE_PROBLEM =
  'locks rows in no fixed order: an update of many rows needs a query before it with `order by` their key and `for update`'

/**
 * Problem of an insert of many rows with `on conflict` and without `order by`, or of an update of many rows that are not locked in
 * order before; null if there is none. Two transactions with common rows in different orders would wait for each other.
 */
export const orderProblem = (text: string): string | null => {
  if ([...text.matchAll(UPSERT)].some(([, rows = '']) => MANY.test(rows) && !/\border by\b/i.test(rows)))
    return UPSERT_PROBLEM
  return UPDATE.test(text) && VALUES.test(text) && !LOCKED.test(text) ? UPDATE_PROBLEM : null
}
