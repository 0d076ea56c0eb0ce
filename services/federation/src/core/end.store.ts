/** Sent deletions of statuses and accounts. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface End {
  /** Of the Delete. */
  id: string
  /** Account id. */
  actor_id: string
  seq: string
  /** Uri of the status, or of the account. */
  about: string
  /** Null while no server had to receive it. */
  body: string | null
}

/** Sent deletions of these statuses and of their authors. */
export const endsOf = (db: Reader, statuses: readonly { uri: string; author: string }[]): Promise<End[]> =>
  db.rows(sql`select a.id, a.actor_id, a.seq, a.object_uri as about, a.body from activities a
    where a.kind = 'Delete' and a.object_uri in (select unnest(${statuses.map((it) => it.uri)}::text[])
      union select uri from gone_actors where account_id = any(${statuses.map((it) => it.author)}::bigint[]))
    order by a.seq`)

/** Stores the text of a deletion that a server has to receive later. */
export const giveBody = (tx: Tx, id: string, body: string): Promise<number> =>
  tx.run(sql`update activities set body = ${body} where id = ${id} and body is null`)
