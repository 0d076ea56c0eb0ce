/** Answers to commands that may be sent again under the same key; the machinery deletes them after a day. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** The answer that was given before, or null. */
export const answerOf = async (db: Reader, key: string): Promise<string | null> =>
  (await db.row<{ answer: string }>(sql`select answer from commands where key = ${key}`))?.answer ?? null

/** Remembers an answer in the transaction of its effect. */
export const rememberAnswer = async (tx: Tx, key: string, answer: string): Promise<void> => {
  await tx.run(sql`insert into commands (key, answer) values (${key}, ${answer})`)
}
