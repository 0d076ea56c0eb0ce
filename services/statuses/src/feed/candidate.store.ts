/** SQL of recent statuses and boosts of several authors, for rebuilding feeds from rows. */
import { type Reader, sql } from '@murmuration/db'
import { visibleTo } from '../core/visibility/store.js'

export interface Candidate {
  id: string
  author_id: string
  visibility: number
  language: string | null
  is_reply: boolean
  in_reply_to_account_id: string | null
  reblog_of_id: string | null
  reblog_of_author_id: string | null
  /** Mentions of the status, and of the original of a boost. */
  mentions: string[]
  original_mentions: string[]
}

/**
 * The newest `limit` statuses of these authors below `maxId`, at most `each` per author. The query needs one index
 * lookup for each author and month. Suspended original authors are removed later, by the rules.
 */
export const candidates = (
  db: Reader,
  viewer: string,
  authors: readonly string[],
  page: { maxId: string | null; sinceId: string | null; limit: number; each: number },
): Promise<Candidate[]> =>
  db.rows(sql`select c.*,
      array(select account_id from mentions where status_id = c.id) as mentions,
      array(select account_id from mentions where status_id = c.reblog_of_id) as original_mentions
    from (
      select s.* from unnest(${authors}::bigint[]) as author(id)
      cross join lateral (
        select s.id, s.author_id, s.visibility, s.language, s.in_reply_to_account_id, s.reblog_of_id, s.reblog_of_author_id,
          (s.in_reply_to_account_id is not null or s.in_reply_to_uri is not null) as is_reply
        from statuses s
        where s.author_id = author.id and s.deleted_at is null and ${visibleTo(viewer)}
          and s.id < ${page.maxId ?? '9223372036854775807'}::bigint and s.id > ${page.sinceId ?? '0'}::bigint
        order by s.id desc limit ${page.each}
      ) s
      order by s.id desc limit ${page.limit}
    ) c order by c.id desc`)
