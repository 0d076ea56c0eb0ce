/** Hashtags by the beginning of their names. */
import { type Reader, sql } from '@murmuration/db'
import type { KnownTag } from './tag.js'

/** Shortest first; an empty beginning finds nothing. */
export const tagsLike = async (db: Reader, beginning: string, limit: number, offset: number): Promise<KnownTag[]> => {
  if (beginning === '') return []
  const pattern = `${beginning.replace(/[\\%_]/g, '\\$&')}%`
  return db.rows(
    sql`select id, name, display from tags where name like ${pattern} order by length(name), name limit ${limit} offset ${offset}`,
  )
}
