/** How PostgreSQL would answer what store functions ask, so that tests see which indexes are used. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/**
 * The plans of everything that `ask` asks, as text; nothing is found and nothing changes.
 *
 * ```ts
 * expect(await plansOf(cluster.db('accounts'), (db) => emailOfUser(db, '1'))).not.toMatch(/Seq Scan/)
 * ```
 */
export const plansOf = async (db: Reader, ask: (db: Tx) => Promise<unknown>): Promise<string> => {
  const plans: string[] = []
  const answer =
    <T>(value: T) =>
    async (query: Sql): Promise<T> => {
      const rows = await db.rows<Record<string, string>>(sql`explain ${query}`)
      plans.push(...rows.map((row) => row['QUERY PLAN'] ?? ''))
      return value
    }
  const reader: Reader = { rows: answer([]), row: answer(null), run: answer(0) }
  await ask({ ...reader, onCommit: () => undefined } as unknown as Tx)
  return plans.join('\n')
}
