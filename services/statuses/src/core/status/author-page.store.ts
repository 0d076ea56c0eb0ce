/** SQL of pages of all statuses of an author. */
import { type Reader, sql } from '@murmuration/db'

/** Ids of an author's statuses and boosts of every visibility, oldest first. */
export const idsOfAuthor = async (
  db: Reader,
  author: string,
  page: { after: string; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select id from statuses
    where author_id = ${author} and deleted_at is null and id > ${page.after} order by id limit ${page.limit}`)
  return rows.map((row) => row.id)
}
