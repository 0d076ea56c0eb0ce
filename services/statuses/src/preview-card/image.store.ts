/** SQL of the pictures of preview cards, in the order in which the pages were read. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

export interface CardPosition {
  /** Time at which the page was read, as text, because text keeps the microseconds of the database. */
  at: string
  id: string
}

export interface OldCard extends CardPosition {
  has_image: boolean
  /** Type of card: 0 page, 1 photo, 2 video. */
  type: number
}

export const cardsBefore = (db: Reader, before: Date, after: CardPosition, limit: number): Promise<OldCard[]> =>
  db.rows(sql`select id, fetched_at::text as at, image_id is not null as has_image, type from previews
    where (fetched_at, id) > (${after.at}::timestamptz, ${after.id}::bigint) and fetched_at < ${before}
    order by previews.fetched_at, id limit ${limit}`)

/** Removes the pictures from cards. Returns the cards that had one, with its attachment. */
export const deleteImages = (tx: Tx, ids: readonly string[]): Promise<{ id: string; image: string }[]> =>
  tx.rows(sql`update previews p set image_id = null
    from (select id, image_id from previews where id = any(${bigints(ids)}) and image_id is not null
      order by id for update) old
    where p.id = old.id returning p.id, old.image_id as image`)
