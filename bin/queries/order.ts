/**
 * Checks that a statement locks many rows in a fixed order, if it inserts rows that may exist, or updates rows.
 * Otherwise transactions that lock the same rows could deadlock.
 */

/** Matches the rows of an insert that may already exist: the text from `insert into` to `on conflict`. */
const UPSERT = /\binsert into\b((?:(?!\binsert into\b).)*?)\bon conflict\b/gis
/** Matches parts of a statement that may return many rows. */
const MANY = /\bunnest\(|recordset\(|\bgroup by\b|\b(?:id|name|\w+_id) = any\(/i

/** Matches updates of many rows by a list of values, in tables whose rows several processes update in batches at the same time. */
const UPDATE =
  /\bupdate (?:account_stats|deliveries|inbox_activities|lanes|requests|status_stats)\b(?:(?!\bupdate\b).)*?\bfrom\b/is
const VALUES = /\bunnest\(/i
/** Matches a subquery that locks the rows of an update in a fixed order, before they are updated. */
const LOCKED = /\border by\b[^()]*\bfor (?:no key )?update\b/i

const UPSERT_PROBLEM =
  'locks rows in no fixed order: an insert of many rows with `on conflict` needs `order by` its key'
const UPDATE_PROBLEM =
  'locks rows in no fixed order: an update of many rows needs a query before it with `order by` their key and `for update`'

/**
 * Returns the problem of a statement that may lock many rows in no fixed order, or null. Inserts of many rows with `on
 * conflict` need `order by`. Updates of many rows must lock them in a fixed order before. Otherwise transactions that
 * lock the same rows could deadlock.
 */
export const orderProblem = (text: string): string | null => {
  if ([...text.matchAll(UPSERT)].some(([, rows = '']) => MANY.test(rows) && !/\border by\b/i.test(rows)))
    return UPSERT_PROBLEM
  return UPDATE.test(text) && VALUES.test(text) && !LOCKED.test(text) ? UPDATE_PROBLEM : null
}
