/** The connection of one service to PostgreSQL: pooled reads, transactions that retry, deadlines, and nothing else. */
import { fail } from '@murmuration/contracts/kit'
import pg from 'pg'
import { sessionSettings } from './session.js'
import { type Sql, sql, statementName } from './sql.js'

/** Something that answers queries: the pool, or a transaction. */
export interface Reader {
  /** All rows. bigint arrives as decimal text, timestamptz as Date, jsonb parsed. */
  rows<T>(query: Sql): Promise<T[]>
  /** The first row, or null. */
  row<T>(query: Sql): Promise<T | null>
  /** How many rows the statement touched. */
  run(query: Sql): Promise<number>
}

/** A transaction. Functions that must not run outside one take this type. */
export interface Tx extends Reader {
  readonly transaction: true
  /**
   * Sends a statement whose result nobody waits for: what follows is sent behind it, and its failure is the failure of
   * the transaction.
   */
  send(query: Sql): void
  /**
   * Runs a statement whose result nobody waits for at the end of the transaction: it travels with the commit. Its failure
   * is the failure of the transaction. Written when it is sent, so that it may gather what comes meanwhile.
   */
  atEnd(write: () => Sql): void
  /** Runs once, after the commit was confirmed; never when the transaction failed. */
  onCommit(effect: () => void): void
}

export interface Database extends Reader {
  /**
   * Runs `work` in one transaction. Serialization failures and deadlocks are retried up to three times, so `work` must
   * do nothing but read and write through `tx`. No network inside.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** True when the database answers within a second. */
  healthy(): Promise<boolean>
  /** Connections in use, idle and waiting, for metrics. */
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface CommitGuard {
  /** Called when a commit is about to be sent; throws to roll the transaction back. */
  beforeCommit(): void
  /** Called after a commit, and before a statement outside a transaction that may change something. */
  written(): void
}

export interface DatabaseOptions {
  url: string
  /** Schema of the service; becomes the search path. */
  schema: string
  /** Most connections of this process. */
  connections?: number
  /** Named prepared statements; off behind a transaction pooler. */
  prepared?: boolean
  /** The login holds the settings of its sessions; a pooler refuses those that a connection asks for. */
  settingsOfLogin?: boolean
  /** Upper bound of any statement in milliseconds. */
  statementTimeoutMs?: number
  /** Milliseconds left of the request being served, if any. */
  remainingMs?: () => number | undefined
  /** Milliseconds that a statement waits for a free connection; 2,000 when absent. Then it fails as unavailable. */
  connectionWaitMs?: number
  /** Says when changes are stored, and may prevent it. */
  guard?: CommitGuard
  /** Called before and after each commit, for fault injection. */
  onFaultPoint?: (point: 'beforeCommit' | 'afterCommit') => Promise<void> | void
  applicationName?: string
  onError?: (error: Error) => void
  /** Called with each statement, for tests that count queries. */
  onQuery?: (text: string) => void
}

/** Statements that change nothing, unless they call a function that does. */
const READS = /^\s*select\b/i
const TRANSIENT = new Set(['40001', '40P01'])
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001', '53100', '25006'])

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/** Driver errors in our own words; constraint violations pass through so that stores can read them. */
const translate = (error: unknown): unknown => {
  const code = codeOf(error)
  if (code === '57014')
    return fail('timeout', 'The request took too long, please try again', { cause: error, retryAfter: 2 })
  if (
    UNAVAILABLE.has(code) ||
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

/** True when the error says that a row with this key is already there. */
export const isDuplicate = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint)

class Session implements Tx {
  readonly transaction = true
  readonly effects: (() => void)[] = []
  readonly sent: Promise<unknown>[] = []
  /** The first failure of what nobody waits for; what fails after it does so because of it. */
  failure: unknown
  readonly last: (() => Sql)[] = []
  readonly #ask: (query: Sql) => Promise<pg.QueryResult>
  constructor(ask: (query: Sql) => Promise<pg.QueryResult>) {
    this.#ask = ask
  }
  async rows<T>(query: Sql): Promise<T[]> {
    return (await this.#ask(query)).rows as T[]
  }
  async row<T>(query: Sql): Promise<T | null> {
    return ((await this.#ask(query)).rows[0] as T | undefined) ?? null
  }
  async run(query: Sql): Promise<number> {
    return (await this.#ask(query)).rowCount ?? 0
  }
  send(query: Sql): void {
    this.sent.push(
      this.#ask(query).catch((error: unknown) => {
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

/** Opens the pool of one service. Connects lazily; close it when the process ends. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const prepared = options.prepared ?? true
  const settings = sessionSettings(options.schema, options.statementTimeoutMs)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections ?? 8,
    // A new connection costs both sides ten milliseconds, and timed work of a quiet process would open one every few seconds.
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: options.connectionWaitMs ?? 2_000,
    keepAlive: true,
    // A statement need not wait for the answer to the one before; `attempt` says where that is used.
    pipeline: true,
    application_name: options.applicationName ?? `murmuration ${options.schema}`,
    ...(options.settingsOfLogin ? {} : { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
  })
  // A session that the server ends is an event as well, also while somebody works in it; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  // The pool tells of idle ones a second time.
  pool.on('error', () => undefined)

  const ask = async (on: pg.Pool | pg.PoolClient, query: Sql): Promise<pg.QueryResult> => {
    const left = options.remainingMs?.()
    if (left !== undefined && left <= 0)
      throw fail('timeout', 'The request took too long, please try again', { retryAfter: 2 })
    const text = query.text
    options.onQuery?.(text)
    try {
      return await on.query(
        prepared ? { name: statementName(text), text, values: [...query.values] } : { text, values: [...query.values] },
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
      return ask(client, one)
    }
    const session = new Session(query)
    try {
      // `begin` travels with the first statement, and `commit` with the last; all of them when nothing is waited for.
      session.send(sql`begin`)
      const result = await work(session)
      if (options.onFaultPoint) await options.onFaultPoint('beforeCommit')
      options.guard?.beforeCommit()
      for (const write of session.last) session.send(write())
      const ended = await query(sql`commit`)
      await Promise.all(session.sent)
      if (session.failure !== undefined) throw session.failure
      // The server answers the commit of a failed transaction with a rollback, and calls that a success.
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
    return ask(pool, query)
  })
  return {
    rows: (query) => outside.rows(query),
    row: (query) => outside.row(query),
    run: (query) => outside.run(query),
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
      const answer = pool.query('select 1').then(
        () => true,
        () => false,
      )
      return Promise.race([answer, new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000).unref())])
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
