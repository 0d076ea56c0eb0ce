/** Connection of one service to PostgreSQL: a pool, transactions with retries, and deadlines. */
import { fail } from '@murmuration/contracts/kit'
import pg from 'pg'
import { createChecks } from './checks.js'
import { sessionSettings } from './session.js'
import { type Sql, sql, statementName, unprepared } from './sql.js'

/** Runs queries: the pool, or a transaction. */
export interface Reader {
  /** All rows. bigint is decimal text, timestamptz is a Date, jsonb is parsed. */
  rows<T>(query: Sql): Promise<T[]>
  /** First row of the result; null if the result is empty. */
  row<T>(query: Sql): Promise<T | null>
  /** Number of rows that the statement affected. */
  run(query: Sql): Promise<number>
}

/** A transaction. Functions that must run inside one take this type. */
export interface Tx extends Reader {
  readonly transaction: true
  /** Sends a statement without waiting for its result. A failure of the statement fails the transaction. */
  send(query: Sql): void
  /**
   * Sends a statement at the end of the transaction, together with the commit. A failure of the statement fails
   * the transaction. `write` is called then, so that one statement can contain everything collected during the
   * transaction.
   */
  atEnd(write: () => Sql): void
  /** Runs `effect` once after the commit was confirmed; never when the transaction failed. */
  onCommit(effect: () => void): void
}

export interface Database extends Reader {
  /**
   * Runs `work` in one transaction. Serialization failures and deadlocks are retried up to three times. So `work` must
   * only read and write through `tx`, without requests to other services.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** True when the query has a row. Simultaneous checks, such as those of ticks, are sent as one statement. */
  exists(query: Sql): Promise<boolean>
  /** True when the database responds within a second. */
  healthy(): Promise<boolean>
  /** Number of connections in total, idle ones, and callers that wait for one; for metrics. */
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface CommitGuard {
  /** Called before a commit is sent. An exception rolls the transaction back. */
  beforeCommit(): void
  /** `written` is called after a commit, and before a statement outside a transaction that may change rows. */
  written(): void
}

export interface DatabaseOptions {
  url: string
  /** Schema of the service, used as search path. */
  schema: string
  /** Maximum connections of this process; default 8. */
  connections?: number
  /** Uses named prepared statements; default true. Prepared statements must be off behind a transaction pooler. */
  prepared?: boolean
  /** True when the login role has the session settings. Needed behind a pooler, which refuses settings of a connection. */
  settingsOfLogin?: boolean
  /** Time limit of a statement in milliseconds. */
  statementTimeoutMs?: number
  /** Milliseconds left of the current request's deadline, if any. */
  remainingMs?: () => number | undefined
  /**
   * Milliseconds that a statement waits for a free connection; default 2,000. After this time, the statement fails as
   * unavailable.
   */
  connectionWaitMs?: number
  /** `guard` is called around commits, and can prevent them. */
  guard?: CommitGuard
  /** `onFaultPoint` is called before and after each commit, for fault injection. */
  onFaultPoint?: (point: 'beforeCommit' | 'afterCommit') => Promise<void> | void
  applicationName?: string
  onError?: (error: Error) => void
  /** `onQuery` is called with each statement, for tests that count queries. */
  onQuery?: (text: string) => void
}

/** Matches statements that change no rows, unless they call a function that does. */
const READS = /^\s*select\b/i
const TRANSIENT = new Set(['40001', '40P01'])
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001', '53100', '25006'])

/** Error codes of the operating system: no DNS entry, no route, or no socket file of the database. */
const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
])

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/** Converts driver errors to Failures. Constraint violations pass unchanged, so that stores can handle them. */
const translate = (error: unknown): unknown => {
  const code = codeOf(error)
  if (code === '57014')
    return fail('timeout', 'The request took too long, please try again', { cause: error, retryAfter: 2 })
  if (
    UNAVAILABLE.has(code) ||
    UNREACHABLE.has(code) ||
    /ECONN|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded|server closed/i.test(
      `${code} ${(error as Error)?.message}`,
    )
  )
    return fail('unavailable', 'There was a temporary problem serving your request, please try again', {
      cause: error,
      retryAfter: 2,
    })
  return error
}

/** True for a unique violation, of `constraint` if given. */
export const isDuplicate = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint)

class Session implements Tx {
  readonly transaction = true
  readonly effects: (() => void)[] = []
  readonly sent: Promise<unknown>[] = []
  /**
   * First error of a statement that was sent without waiting for its result. Later errors of the transaction are
   * consequences of this one.
   */
  failure: unknown
  readonly last: (() => Sql)[] = []
  readonly #execute: (query: Sql) => Promise<pg.QueryResult>
  constructor(execute: (query: Sql) => Promise<pg.QueryResult>) {
    this.#execute = execute
  }
  async rows<T>(query: Sql): Promise<T[]> {
    return (await this.#execute(query)).rows as T[]
  }
  async row<T>(query: Sql): Promise<T | null> {
    return ((await this.#execute(query)).rows[0] as T | undefined) ?? null
  }
  async run(query: Sql): Promise<number> {
    return (await this.#execute(query)).rowCount ?? 0
  }
  send(query: Sql): void {
    this.sent.push(
      this.#execute(query).catch((error: unknown) => {
        this.failure ??= error
      }),
    )
  }
  atEnd(write: () => Sql): void {
    this.last.push(write)
  }
  onCommit(effect: () => void): void {
    this.effects.push(effect)
  }
}

/** Sends all statements issued before the next tick in one packet. */
const together = ({ connection: { stream } }: pg.PoolClient): void => {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Opens the connection pool of one service. Connects on first use. The owner closes the pool when the process ends. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const prepared = options.prepared ?? true
  const settings = sessionSettings(options.schema, options.statementTimeoutMs)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 8,
    // Milliseconds until an idle connection is closed. A new connection costs about 10 ms of CPU on both sides, and ticks would open one every few seconds.
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: options.connectionWaitMs ?? 2_000,
    keepAlive: true,
    // Sends statements without waiting for earlier results; `attempt` uses this.
    pipeline: true,
    application_name: options.applicationName ?? `murmuration ${options.schema}`,
    ...(options.settingsOfLogin ? {} : { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
  })
  // Errors of a session that the server ended also occur while the client is in use. Without a listener, such errors
  // would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  // The pool reports errors of idle clients a second time. They are ignored here, because the listener on the client
  // has handled them.
  pool.on('error', () => undefined)

  const execute = async (on: pg.Pool | pg.PoolClient, query: Sql): Promise<pg.QueryResult> => {
    const left = options.remainingMs?.()
    if (left !== undefined && left <= 0)
      throw fail('timeout', 'The request took too long, please try again', { retryAfter: 2 })
    const text = query.text
    options.onQuery?.(text)
    try {
      return await on.query(
        prepared && !query.isUnprepared
          ? { name: statementName(text), text, values: [...query.values] }
          : { text, values: [...query.values] },
      )
    } catch (error) {
      throw translate(error)
    }
  }

  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error) => {
      throw translate(error)
    })
    let broken: Error | undefined
    const query = (one: Sql) => {
      together(client)
      return execute(client, one)
    }
    const session = new Session(query)
    try {
      // `begin` is sent with the first statement and `commit` with the last.
      session.send(sql`begin`)
      const result = await work(session)
      if (options.onFaultPoint) await options.onFaultPoint('beforeCommit')
      options.guard?.beforeCommit()
      for (const write of session.last) session.send(write())
      const ended = await query(sql`commit`)
      await Promise.all(session.sent)
      if (session.failure !== undefined) throw session.failure
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK and reports no error.
      if (ended.command !== 'COMMIT') throw new Error('the transaction was not committed')
      options.guard?.written()
      if (options.onFaultPoint) await options.onFaultPoint('afterCommit')
      for (const effect of session.effects) effect()
      return result
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => {
        broken = lost
      })
      throw session.failure ?? error
    } finally {
      client.release(broken)
    }
  }

  const outside = new Session((query) => {
    if (!READS.test(query.text)) options.guard?.written()
    return execute(pool, query)
  })
  return {
    rows: (query) => outside.rows(query),
    row: (query) => outside.row(query),
    run: (query) => outside.run(query),
    // Each combination of several checks has its own text.
    exists: createChecks(
      async (query, checks) =>
        (await execute(pool, checks === 1 ? query : unprepared(query))).rows[0] as { found: boolean[] },
    ),
    async tx(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work)
        } catch (error) {
          if (tries >= 4 || !TRANSIENT.has(codeOf(error))) throw error
          await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20 * tries))
        }
      }
    },
    async healthy() {
      const probe = pool.query('select 1').then(
        () => true,
        () => false,
      )
      return Promise.race([probe, new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000).unref())])
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
