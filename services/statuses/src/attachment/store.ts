/** SQL of the pictures of preview cards. */
import { bigints, type Reader, sql } from '@murmuration/db'

/** Ids of the attachments that these preview cards show. */
export const imagesOf = async (db: Reader, cards: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ image_id: string }>(
        sql`select image_id from previews where id = any(${bigints(cards)}) and image_id is not null`,
      )
    ).map((row) => row.image_id),
  )
