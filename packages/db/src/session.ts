/** The settings of every session of a service: asked for with each connection, or held by its login. */
import { sql } from './sql.js'

/** Upper bound of any statement, in milliseconds. */
export const STATEMENT_TIMEOUT_MS = 10_000

/**
 * Our statements are short: compiling one costs more than it saves, and random reads come from memory or from disks that
 * do not seek.
 */
export const sessionSettings = (schema: string, statementTimeoutMs = STATEMENT_TIMEOUT_MS): [string, string][] => [
  ['search_path', schema],
  ['statement_timeout', String(statementTimeoutMs)],
  ['idle_in_transaction_session_timeout', '15000'],
  ['timezone', 'UTC'],
  ['jit', 'off'],
  ['random_page_cost', '1.1'],
]

/**
 * A table for the `from` of a statement that stands alone: its commit need not have reached the disk when it is answered.
 * For notes whose loss, when PostgreSQL itself falls, only has something safe done once more.
 */
export const unhurried = sql`(select set_config('synchronous_commit', 'off', true)) as unhurried`
