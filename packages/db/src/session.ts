/** Settings of every session of a service: set by each connection, or stored with its login role. */
import { sql } from './sql.js'

/** Maximum duration of a statement in milliseconds. */
export const STATEMENT_TIMEOUT_MS = 10_000

/**
 * Settings by name. `jit` is off, because compiling the short statements costs more than it saves. `random_page_cost`
 * is low, because random reads come from memory or from disks without seek time.
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
 * An item for the `from` of a single statement. The commit of the statement then returns before it is flushed to disk.
 * Only for rows whose loss in a crash of PostgreSQL merely repeats a safe action.
 */
export const asyncCommit = sql`(select set_config('synchronous_commit', 'off', true)) as unhurried`
