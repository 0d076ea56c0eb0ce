/** One time limit for several statements of a transaction. */
import { Failure } from '@murmuration/contracts/kit'
import type { Reader, Tx } from './database.js'
import { sql } from './sql.js'

/** True if the database cancelled the statement, because it took too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Failure && (error.cause as { code?: unknown } | undefined)?.code === '57014'

/**
 * A reader whose statements take at most `ms` together, from the start of the transaction. The database cancels the statement
 * that runs when the time is over. The limit is sent with each statement, so that it costs no round trip.
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
