/** SQL of quotes: quoting and quoted status, state and approval. */
import { bigints, type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import { STORED_STATES, type StoredState } from './rules.js'

export interface QuoteRow {
  /** Id of the quoting status. */
  status_id: string
  id: string
  author_id: string
  quoted_id: string | null
  quoted_author_id: string | null
  quoted_uri: string | null
  state: StoredState
  legacy: boolean
  stamp_uri: string | null
}

type Stored = Omit<QuoteRow, 'state'> & { state: number }
const columns = sql`q.status_id, q.id, q.author_id, q.quoted_id, q.quoted_author_id, q.quoted_uri, q.state, q.legacy, q.stamp_uri`
const levelOf = (state: StoredState): number => STORED_STATES.indexOf(state)
const read = (row: Stored): QuoteRow => ({ ...row, state: STORED_STATES[row.state] ?? 'rejected' })

export const insertQuote = (tx: Tx, q: QuoteRow): Promise<number> =>
  tx.run(sql`insert into quotes (status_id, id, author_id, quoted_id, quoted_author_id, quoted_uri, state, legacy, stamp_uri)
    values (${q.status_id}, ${q.id}, ${q.author_id}, ${q.quoted_id}, ${q.quoted_author_id}, ${q.quoted_uri},
      ${levelOf(q.state)}, ${q.legacy}, ${q.stamp_uri})`)

/** Rows of quotes by the id of the quoting status. */
export const quotesOf = async (db: Reader, statuses: readonly string[]): Promise<Map<string, QuoteRow>> => {
  if (statuses.length === 0) return new Map()
  const rows = await db.rows<Stored>(sql`select ${columns} from quotes q where q.status_id = any(${bigints(statuses)})`)
  return new Map(rows.map((row) => [row.status_id, read(row)]))
}

/** Quotes of these statuses and of the statuses that they quote, by quoting status. */
export const quotesAndNestedQuotes = async (
  db: Reader,
  statuses: readonly string[],
): Promise<Map<string, QuoteRow>> => {
  if (statuses.length === 0) return new Map()
  const rows = await db.rows<Stored>(sql`with near as (
      select ${columns} from quotes q where q.status_id = any(${bigints(statuses)})
    )
    select * from near
    union
    select ${columns} from near join quotes q on q.status_id = near.quoted_id`)
  return new Map(rows.map((row) => [row.status_id, read(row)]))
}

/** The accepted quote of a status whose approval was last proved before `before`; else null. */
export const quoteProvedBefore = (
  db: Reader,
  status: string,
  before: Date,
): Promise<{ quoted_id: string; stamp_uri: string } | null> =>
  db.row(sql`select quoted_id, stamp_uri from quotes where status_id = ${status} and state = 1
    and quoted_id is not null and stamp_uri is not null and (checked_at is null or checked_at < ${before})`)

/** The quote of a status, locked for change; null if none. */
export const holdQuote = async (tx: Tx, status: string): Promise<QuoteRow | null> => {
  const row = await tx.row<Stored>(sql`select ${columns} from quotes q where q.status_id = ${status} for update`)
  return row && read(row)
}

/** Stores state, quoted status and approval of a quote, and resets its count of failed proofs. */
export const updateQuote = (
  tx: Tx,
  status: string,
  q: Pick<QuoteRow, 'quoted_id' | 'quoted_author_id' | 'quoted_uri' | 'state' | 'stamp_uri'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`update quotes set quoted_id = ${q.quoted_id}, quoted_author_id = ${q.quoted_author_id},
      quoted_uri = ${q.quoted_uri}, state = ${levelOf(q.state)}, stamp_uri = ${q.stamp_uri}, checked_at = ${at},
      missed = 0, missed_at = null
    where status_id = ${status}`)

/** Stores whether the quote of a held status was accepted, so that the quoted author is notified when it is released. */
export const setUnannounced = (tx: Tx, status: string, unannounced: boolean): Promise<number> =>
  tx.run(sql`update quotes set unannounced = ${unannounced}
    where status_id = ${status} and unannounced <> ${unannounced}`)

/** Statuses among these whose quote was accepted while they were held. Their quotes then count as announced. */
export const takeUnannounced = async (tx: Tx, statuses: readonly string[]): Promise<Set<string>> => {
  if (statuses.length === 0) return new Set()
  const rows = await tx.rows<{ status_id: string }>(sql`update quotes set unannounced = false
    where status_id = any(${bigints(statuses)}) and unannounced returning status_id`)
  return new Set(rows.map((row) => row.status_id))
}

/** Counts a failed proof of an approval, at most once after `since`. Returns the number of consecutive failures. */
export const countMiss = async (tx: Tx, status: string, at: Date, since: Date): Promise<number> => {
  await tx.run(sql`update quotes set missed = missed + 1, missed_at = ${at}
    where status_id = ${status} and (missed_at is null or missed_at < ${since})`)
  return (await tx.row<{ missed: number }>(sql`select missed from quotes where status_id = ${status}`))?.missed ?? 0
}

/**
 * Ids of the quoted statuses of all accepted quotes by `statuses`. The id of a status with several such quotes is
 * repeated. Locks the rows of the quotes.
 */
export const countedQuotes = async (tx: Tx, statuses: readonly string[]): Promise<string[]> => {
  if (statuses.length === 0) return []
  const rows = await tx.rows<{ quoted_id: string | null; state: number }>(sql`select quoted_id, state from quotes
    where status_id = any(${bigints(statuses)}) order by status_id for update`)
  return rows.flatMap((row) => (row.state === 1 && row.quoted_id !== null ? [row.quoted_id] : []))
}

/** Deletes the quotes of deleted statuses. Returns the quoted statuses whose counters must be reduced. */
export const deleteQuotesOf = async (tx: Tx, statuses: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ quoted_id: string | null; state: number }>(
      sql`delete from quotes where status_id = any(${statuses}::bigint[]) returning quoted_id, state`,
    )
  ).flatMap((row) => (row.state === 1 && row.quoted_id !== null ? [row.quoted_id] : []))

/** The quote with this approval of the quoted author; null if none. */
export const quoteByAuthorization = async (
  db: Reader,
  stamp: string,
  quotedAuthor: string,
): Promise<QuoteRow | null> => {
  const row = await db.row<Stored>(sql`select ${columns} from quotes q
    where q.stamp_uri = ${stamp} and q.quoted_author_id = ${quotedAuthor} order by q.state = 1 desc limit 1`)
  return row && read(row)
}

/** A page of accepted quotes of a status, by quote id. */
export const quotesPage = (db: Reader, quoted: string, page: Cursor): Promise<{ id: string; status_id: string }[]> =>
  db.rows(sql`select id, status_id from quotes where quoted_id = ${quoted} and state = 1 ${keyset(sql`id`, page)}`)

/** Local accounts with an accepted quote of a status, and their quoting status. */
export const localQuotersOf = (
  db: Reader,
  quoted: string,
  page: { after: string; limit: number },
): Promise<{ id: string; account_id: string; status_id: string }[]> =>
  db.rows(sql`select q.id, q.author_id as account_id, q.status_id from quotes q
    cross join lateral (select 1 from statuses s where s.id = q.status_id and s.local and s.deleted_at is null) s
    where q.quoted_id = ${quoted} and q.state = 1 and q.id > ${page.after}::bigint order by q.id limit ${page.limit}`)
