/** Approvals that those who are answered told of answers that are not here yet, or that have another one until these are proved. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Notes the latest, or that there is none any more. */
export const putEarly = (tx: Tx, statusUri: string, author: string, uri: string | null): Promise<number> =>
  uri === null
    ? tx.run(sql`delete from early_approvals where status_uri = ${statusUri} and author_id = ${author}`)
    : tx.run(sql`insert into early_approvals (status_uri, author_id, uri) values (${statusUri}, ${author}, ${uri})
        on conflict (status_uri, author_id) do update set uri = excluded.uri, at = now()`)

/** Its author did not take it back since. */
const isLeft = sql`not exists (select 1 from tombstones t where t.uri = e.uri and t.author_id = e.author_id)`

/** The approval that this author told of the answer; null when there is none, or no more. */
export const earlyOf = async (db: Reader, statusUri: string, author: string): Promise<string | null> =>
  (
    await db.row<{ uri: string }>(sql`select e.uri from early_approvals e
      where e.status_uri = ${statusUri} and e.author_id = ${author} and ${isLeft}`)
  )?.uri ?? null

/** The same, which is with the answer from now on. */
export const takeEarly = async (tx: Tx, statusUri: string, author: string): Promise<string | null> =>
  (
    await tx.row<{ uri: string }>(sql`delete from early_approvals e
      where e.status_uri = ${statusUri} and e.author_id = ${author} and ${isLeft} returning e.uri`)
  )?.uri ?? null

/** The same of each of these answers that has one. */
export const takeEarlyOf = (tx: Tx, ids: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from early_approvals e using statuses s
    where s.id = any(${ids}::bigint[]) and e.status_uri = s.uri and e.author_id = s.in_reply_to_author_id and ${isLeft}
    returning s.id, e.uri`)

/** Erases old ones; returns how many. */
export const forgetEarly = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from early_approvals where (status_uri, author_id) in (
    select status_uri, author_id from early_approvals where at < now() - interval '30 days' limit ${most})`)
