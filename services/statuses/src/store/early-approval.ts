/** Approvals of answers that are not here yet, as those who are answered told them. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Notes the latest, or that there is none any more. */
export const putEarly = (tx: Tx, statusUri: string, author: string, uri: string | null): Promise<number> =>
  uri === null
    ? tx.run(sql`delete from early_approvals where status_uri = ${statusUri} and author_id = ${author}`)
    : tx.run(sql`insert into early_approvals (status_uri, author_id, uri) values (${statusUri}, ${author}, ${uri})
        on conflict (status_uri, author_id) do update set uri = excluded.uri, at = now()`)

/** The approval that this author told of the answer, which is with the answer from now on. */
export const takeEarly = async (tx: Tx, statusUri: string, author: string): Promise<string | null> =>
  (
    await tx.row<{ uri: string }>(sql`delete from early_approvals
      where status_uri = ${statusUri} and author_id = ${author} returning uri`)
  )?.uri ?? null

/** Erases old ones; returns how many. */
export const forgetEarly = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from early_approvals where (status_uri, author_id) in (
    select status_uri, author_id from early_approvals where at < now() - interval '30 days' limit ${most})`)
