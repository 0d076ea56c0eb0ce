/** Reads and stores responses to requests with an idempotency key. The kernel deletes these responses after a day. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** The stored response to the request with this idempotency key, or null. */
export const storedResult = async (db: Reader, key: string): Promise<string | null> =>
  (await db.row<{ answer: string }>(sql`select answer from commands where key = ${key}`))?.answer ?? null

/** Stores the response to a request with an idempotency key, in the transaction of the request's effect. */
export const storeResult = async (tx: Tx, key: string, answer: string): Promise<void> => {
  await tx.run(sql`insert into commands (key, answer) values (${key}, ${answer})`)
}
