/** Stored responses to requests with an idempotency key (table `commands` of a service). The kernel deletes them after a day. */
import type { Reader, Tx } from './database.js'
import { sql } from './sql.js'

/** Stored response to the request with this idempotency key, as JSON text; null if there is none. */
export const storedResult = async (db: Reader, key: string): Promise<string | null> =>
  (await db.row<{ result: string }>(sql`select answer as result from commands where key = ${key}`))?.result ?? null

/**
 * Stores the response to a request under its idempotency key, in the transaction of its effect. Rejects if the key has a
 * response already.
 */
export const storeResult = async (tx: Tx, key: string, result: string): Promise<void> => {
  await tx.run(sql`insert into commands (key, answer) values (${key}, ${result})`)
}
