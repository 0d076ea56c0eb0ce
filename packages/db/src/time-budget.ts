/** One time limit for several statements of a transaction. */
import { Failure } from '@murmuration/contracts/kit'
import type { Reader, Tx } from './database.js'
import { sql } from './sql.js'

/** True if PostgreSQL cancelled the statement because of its time limit. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Failure && (error.cause as { code?: unknown } | undefined)?.code === '57014'

/**
 * A reader whose statements may take at most `ms` milliseconds together, counted from the start of the transaction.
 * PostgreSQL cancels the statement that runs when the time is over. Each statement sets its limit itself, without
 * another round trip.
 */
export const shareTime = (tx: Tx, ms: number): Reader => {
  const limit = () =>
    tx.run(sql`select set_config('statement_timeout', greatest(1,
      ${ms}::int - floor(extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000)::int)::text, true)`)
  const limited = async <T>(statement: () => Promise<T>): Promise<T> =>
    (await Promise.all([limit(), statement()] as const))[1]
  return {
    rows: (query) => limited(() => tx.rows(query)),
    row: (query) => limited(() => tx.row(query)),
    run: (query) => limited(() => tx.run(query)),
  }
}
