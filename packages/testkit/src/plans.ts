/** Query plans of the SQL statements of stores, by which tests check which indexes are used. */
import { type Reader, type Sql, sql, statementName, type Tx } from '@murmuration/db'

/**
 * Returns the plans of all statements that `run` issues, as text. The statements are explained and not executed, so
 * each returns no rows.
 * ```ts
 * expect(await plansOf(cluster.db('accounts'), (db) => emailOfUser(db, '1'))).not.toMatch(/Seq Scan/)
 * ```
 */
export const plansOf = async (db: Reader, run: (db: Tx) => Promise<unknown>): Promise<string> => {
  const plans: string[] = []
  const result =
    <T>(value: T) =>
    async (query: Sql): Promise<T> => {
      const rows = await db.rows<Record<string, string>>(sql`explain ${query}`)
      plans.push(...rows.map((row) => row['QUERY PLAN'] ?? ''))
      return value
    }
  const reader: Reader = { rows: result([]), row: result(null), run: result(0) }
  await run({ ...reader, onCommit: () => undefined } as unknown as Tx)
  return plans.join('\n')
}

/** Number of executions after which PostgreSQL has decided whether it caches a plan. */
const EXECUTIONS = 8

/**
 * Returns the cached plans of the statements that `run` issues, as text, after several executions. Throws when
 * PostgreSQL plans a statement again at each call. `db` must have one connection, with prepared statements.
 *
 * ```ts
 * expect(await keptPlansOf(db, (db) => accountsByIds(db, ['1', '2']))).not.toMatch(/Seq Scan/)
 * ```
 */
export const keptPlansOf = async (db: Reader, run: (db: Reader) => Promise<unknown>): Promise<string> => {
  const texts = new Set<string>()
  const noted = (query: Sql): Sql => {
    texts.add(query.text)
    return query
  }
  const reader: Reader = {
    rows: (query) => db.rows(noted(query)),
    row: (query) => db.row(noted(query)),
    run: (query) => db.run(noted(query)),
  }
  for (let n = 0; n < EXECUTIONS; n++) await run(reader)
  const plans: string[] = []
  for (const text of texts) {
    const name = statementName(text)
    const statement = await db.row<{ generic: number; parameters: number }>(sql`select generic_plans::int as generic,
      cardinality(parameter_types) as parameters from pg_prepared_statements where name = ${name}`)
    if (!statement?.generic) throw new Error(`planned at each call: ${text}`)
    const nulls = Array.from({ length: statement.parameters }, () => 'null').join(', ')
    await db.run(sql`set plan_cache_mode = force_generic_plan`)
    const rows = await db.rows<Record<string, string>>({ text: `explain execute "${name}"(${nulls})`, values: [] })
    await db.run(sql`reset plan_cache_mode`)
    plans.push(...rows.map((row) => row['QUERY PLAN'] ?? ''))
  }
  return plans.join('\n')
}
