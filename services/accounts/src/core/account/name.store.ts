/** Reads and writes the search index of account names. */
import { type Database, sql, type Tx, vectorText } from '@murmuration/db'
import { displayDomain, nameTerms } from '@murmuration/text'

/** The names of an account that the search index contains. */
export interface Named {
  id: string
  username: string
  /** `domain` is null for local accounts. */
  domain: string | null
  display_name: string
}

const termsOf = ({ username, domain, display_name }: Named): string[] => {
  const shown = domain === null ? '' : displayDomain(domain)
  return nameTerms([display_name, username, domain ?? '', shown === domain ? '' : shown].join('\n'))
}

/** Adds accounts with their names to the search index. The caller ensures that the account rows exist. */
export const putNames = async (tx: Tx, accounts: readonly Named[]): Promise<void> => {
  if (accounts.length === 0) return
  await tx.run(sql`insert into account_search (account_id, words)
    select id, words::tsvector from unnest(${accounts.map((one) => one.id)}::bigint[],
      ${accounts.map((one) => vectorText(termsOf(one)))}::text[]) as given(id, words) order by id
    on conflict (account_id) do update set words = excluded.words where account_search.words <> excluded.words`)
}

/**
 * Names of the accounts in `ids`. The rows are locked in share mode, so that the names do not change before they are
 * indexed.
 */
export const namesOf = (tx: Tx, ids: readonly string[]): Promise<Named[]> =>
  tx.rows(sql`select id, username, domain, display_name from accounts where id = any(${ids}::bigint[])
    order by id for share`)

/** Whether a backlog of accounts is due for indexing. A backlog contains accounts that were stored before the index of names existed. */
export const isAnyUnnamed = (db: Database, at: Date): Promise<boolean> =>
  db.exists(sql`select 1 from account_search_backlog where starts_at <= ${at}`)

/** Ids of the next accounts to index of the first backlog that is due, newest first; null if no backlog is due. */
export const nextUnnamed = async (
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ backlog: number; ids: string[] } | null> => {
  const due = await tx.row<{ id: number; below: string }>(sql`select id, below from account_search_backlog
    where starts_at <= ${at} order by id for update skip locked limit 1`)
  if (!due) return null
  const rows = await tx.rows<{ id: string }>(
    sql`select id from accounts where id < ${due.below}::bigint order by id desc limit ${limit}`,
  )
  return { backlog: due.id, ids: rows.map((row) => row.id) }
}

/** Stores that in this backlog only accounts with ids below `below` are still to be indexed. Null deletes the backlog. */
export const markUnnamed = (tx: Tx, backlog: number, below: string | null): Promise<number> =>
  below === null
    ? tx.run(sql`delete from account_search_backlog where id = ${backlog}`)
    : tx.run(sql`update account_search_backlog set below = ${below} where id = ${backlog}`)
