/** Reads pages of attachments in ascending order of their ids. */
import { bigints, type Reader, type Sql, sql } from '@murmuration/db'

export interface RefreshRow {
  id: string
  remote_url: string | null
  domain: string | null
  copied: boolean
}

const within = ({ status, owner }: { status: string | null; owner: string | null }): Sql => {
  if (status !== null) return sql`status = ${status} and`
  return owner === null ? sql`` : sql`owner = ${owner} and`
}

/** Attachments with an id above `after`: those of a status, of an owner, or of all. */
export const refreshWindow = (
  db: Reader,
  it: { status: string | null; owner: string | null; after: string; limit: number },
): Promise<RefreshRow[]> =>
  db.rows(sql`select id, remote_url, domain, original_key is not null as copied from attachments
    where ${within(it)} id > ${it.after} order by id limit ${it.limit}`)

/** Sum of the sizes of these attachments in bytes. */
export const sizesOf = async (db: Reader, ids: readonly string[]): Promise<number> =>
  (
    await db.row<{ bytes: number }>(
      sql`select coalesce(sum(size), 0)::float8 as bytes from attachments where id = any(${bigints(ids)})`,
    )
  )?.bytes ?? 0
