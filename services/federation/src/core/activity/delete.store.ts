/** Reads stored Deletes of statuses and accounts, and adds the text to a Delete that was stored without it. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface End {
  /** Id of the Delete activity. */
  id: string
  /** Account id. */
  actor_id: string
  seq: string
  /** URI of the deleted status or account. */
  about: string
  /** JSON text of the Delete; null as long as no server had to receive it. */
  body: string | null
}

/** Stored Delete activities of these statuses and of their authors, oldest first. `author` is an account id. */
export const endsOf = (db: Reader, statuses: readonly { uri: string; author: string }[]): Promise<End[]> =>
  db.rows(sql`select a.id, a.actor_id, a.seq, a.object_uri as about, a.body from activities a
    where a.kind = 'Delete' and a.object_uri in (select unnest(${statuses.map((it) => it.uri)}::text[])
      union select uri from gone_actors where account_id = any(${statuses.map((it) => it.author)}::bigint[]))
    order by a.seq`)

/** Stores the JSON text of a Delete that was stored without its text. Returns the number of changed rows. */
export const setBody = (tx: Tx, id: string, body: string): Promise<number> =>
  tx.run(sql`update activities set body = ${body} where id = ${id} and body is null`)
