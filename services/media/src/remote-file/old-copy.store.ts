/** Removes old copies of remote attachments. */
import { sql, type Tx } from '@murmuration/db'

/**
 * Removes up to `limit` copies that were made before `before`, oldest first. The attachments then have the state from
 * before their first fetch.
 */
export const removeOldCopies = (
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ id: string; keys: (string | null)[] }[]> =>
  tx.rows(sql`update attachments a set state = 'remote', original_key = null, small_key = null, size = 0, cached_at = null
    from (select id, original_key, small_key from attachments
      where state = 'cached' and coalesce(cached_at, created_at) < ${before}
      order by coalesce(cached_at, created_at) limit ${limit} for update skip locked) old
    where a.id = old.id returning a.id, array[old.original_key, old.small_key] as keys`)
