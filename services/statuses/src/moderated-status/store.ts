/** SQL of statuses that staff marked as sensitive. Each mark has the id of a decision. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** Stores that a decision of staff marked a status as sensitive. If the status already has a mark, that mark stays. */
export const insertMark = (tx: Tx, status: string, mark: string): Promise<number> =>
  tx.run(sql`insert into sensitive_marks (status_id, mark) values (${status}, ${mark}) on conflict do nothing`)

/** Deletes the mark of staff that a status is sensitive. Returns false if the status has no mark. */
export const deleteMark = async (tx: Tx, status: string, mark: string): Promise<boolean> =>
  (await tx.run(sql`delete from sensitive_marks where status_id = ${status} and mark = ${mark}`)) > 0

/** Whether staff marked a status as sensitive. */
export const isMarked = async (db: Reader, status: string): Promise<boolean> =>
  (await db.row(sql`select 1 from sensitive_marks where status_id = ${status} limit 1`)) !== null

/** Sets the flag `sensitive` of a remote status. No version is added, because its versions are those of its server. */
export const setSensitive = (tx: Tx, id: string, sensitive: boolean): Promise<number> =>
  tx.run(sql`update statuses set sensitive = ${sensitive}, rev = rev + 1 where id = ${id} and deleted_at is null`)

/** Statuses of one author that are not deleted, without boosts. */
export const originalsOf = (
  db: Reader,
  author: string,
  ids: readonly string[],
): Promise<{ id: string; sensitive: boolean; has_media: boolean }[]> =>
  db.rows(sql`select id, sensitive, has_media or preview_id is not null as has_media from statuses
    where id = any(${bigints(ids)}) and author_id = ${author} and deleted_at is null and reblog_of_id is null order by id`)
