/** Hashtags by the beginning of their names. */
import { type Reader, sql } from '@murmuration/db'
import type { KnownTag } from '../core/tag/store.js'

export interface TagWish {
  /** Normalised. */
  name: string
  /** Only what staff looked at, and the tag of this name. */
  reviewed: boolean
  limit: number
  offset: number
}

/** Shortest first, so the tag of the very name comes first; an empty name finds nothing, nor do tags that staff hides. */
export const tagsLike = async (db: Reader, { name, reviewed, limit, offset }: TagWish): Promise<KnownTag[]> => {
  if (name === '') return []
  const pattern = `${name.replace(/[\\%_]/g, '\\$&')}%`
  return db.rows(sql`select id, name, display from tags where listable and name like ${pattern}
      ${reviewed ? sql`and (reviewed_at is not null or name = ${name})` : sql``}
    order by length(name), name limit ${limit} offset ${offset}`)
}
