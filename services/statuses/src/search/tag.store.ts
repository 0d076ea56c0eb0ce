/** SQL that finds hashtags by prefix. */
import { type Reader, sql } from '@murmuration/db'
import type { KnownTag } from '../core/tag/store.js'

export interface TagQuery {
  /** Normalised prefix of the hashtags to find. */
  name: string
  /** True to search only tags that staff reviewed, and the tag with exactly this name. */
  reviewed: boolean
  limit: number
  offset: number
}

/**
 * Tags with this prefix, shortest first, so that an exact match is first. An empty prefix finds no tag. Tags that staff
 * hides are excluded.
 */
export const tagsLike = async (db: Reader, { name, reviewed, limit, offset }: TagQuery): Promise<KnownTag[]> => {
  if (name === '') return []
  const pattern = `${name.replace(/[\\%_]/g, '\\$&')}%`
  return db.rows(sql`select id, name, display from tags where listable and name like ${pattern}
      ${reviewed ? sql`and (reviewed_at is not null or name = ${name})` : sql``}
    order by length(name), name limit ${limit} offset ${offset}`)
}
