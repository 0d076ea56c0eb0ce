/**
 * SQL of early approvals: received before the reply's parent is known, or while the reply has another proved approval.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Stores the early approval that the author of the parent sent for a reply, instead of an older one. Null as `uri`
 * deletes the early approval.
 */
export const putEarly = (tx: Tx, statusUri: string, author: string, uri: string | null): Promise<number> =>
  uri === null
    ? tx.run(sql`delete from early_approvals where status_uri = ${statusUri} and author_id = ${author}`)
    : tx.run(sql`insert into early_approvals (status_uri, author_id, uri) values (${statusUri}, ${author}, ${uri})
        on conflict (status_uri, author_id) do update set uri = excluded.uri, at = now()`)

/**
 * SQL condition: the author of the early approval `e` has not revoked it. A revocation is a tombstone with the URI of
 * the approval.
 */
const isLeft = sql`not exists (select 1 from tombstones t where t.uri = e.uri and t.author_id = e.author_id)`

/** URI of the early approval that an author sent for a reply; null if none or revoked. */
export const earlyOf = async (db: Reader, statusUri: string, author: string): Promise<string | null> =>
  (
    await db.row<{ uri: string }>(sql`select e.uri from early_approvals e
      where e.status_uri = ${statusUri} and e.author_id = ${author} and ${isLeft}`)
  )?.uri ?? null

/** Deletes and returns the early approval of a reply; null if none or revoked. */
export const takeEarly = async (tx: Tx, statusUri: string, author: string): Promise<string | null> =>
  (
    await tx.row<{ uri: string }>(sql`delete from early_approvals e
      where e.status_uri = ${statusUri} and e.author_id = ${author} and ${isLeft} returning e.uri`)
  )?.uri ?? null

/** Deletes and returns the early approvals of several replies. Replies without one are missing from the result. */
export const takeEarlyOf = (tx: Tx, ids: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from early_approvals e using statuses s
    where s.id = any(${ids}::bigint[]) and e.status_uri = s.uri and e.author_id = s.in_reply_to_author_id and ${isLeft}
    returning s.id, e.uri`)

/** Deletes early approvals older than 30 days, `limit` at a time. Returns the number of deleted rows. */
export const deleteEarly = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from early_approvals where (status_uri, author_id) in (
    select status_uri, author_id from early_approvals where at < now() - interval '30 days' limit ${limit})`)
