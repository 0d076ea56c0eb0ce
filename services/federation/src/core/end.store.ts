/** Ends that were told: of statuses, and of people who are gone. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface End {
  /** Of the Delete. */
  id: string
  /** Account id. */
  actor_id: string
  seq: string
  /** Uri of the status, or of the person. */
  about: string
  /** Null while nobody had to hear it. */
  body: string | null
}

/** Ends that were told of statuses, and of the people who wrote them. */
export const endsOf = (db: Reader, statuses: readonly { uri: string; author: string }[]): Promise<End[]> =>
  db.rows(sql`select a.id, a.actor_id, a.seq, a.object_uri as about, a.body from activities a
    where a.kind = 'Delete' and a.object_uri in (select unnest(${statuses.map((it) => it.uri)}::text[])
      union select uri from gone_actors where account_id = any(${statuses.map((it) => it.author)}::bigint[]))
    order by a.seq`)

/** The text of an end that somebody has to hear after all. */
export const giveBody = (tx: Tx, id: string, body: string): Promise<number> =>
  tx.run(sql`update activities set body = ${body} where id = ${id} and body is null`)
