/** The order in which a statement locks rows that it may change on conflict. */

/** An upsert: the query of its rows, from `insert into` to `on conflict`. */
const UPSERT = /\binsert into\b((?:(?!\binsert into\b).)*?)\bon conflict\b(?:(?!\binsert into\b).)*?\bdo update\b/gis
/** Signs of a query that returns many rows. */
const MANY = /\bunnest\(|recordset\(|\bgroup by\b|= any\(/i

/**
 * Problem of an upsert of many rows without `order by`; null if there is none. Two transactions with common rows in different orders
 * would wait for each other.
 */
export const orderProblem = (text: string): string | null =>
  [...text.matchAll(UPSERT)].some(([, rows = '']) => MANY.test(rows) && !/\border by\b/i.test(rows))
    ? 'locks rows in no fixed order: an upsert of many rows needs `order by` its key'
    : null
