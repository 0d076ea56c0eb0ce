/** SQL of recent statuses with followed hashtags, for rebuilding home feeds from rows. */
import { type Reader, sql } from '@murmuration/db'
import type { Candidate } from './candidate.store.js'

/**
 * The newest `limit` public statuses with hashtags that the viewer follows, posted since the follow; at most `each` per
 * hashtag. Limited and suspended authors are excluded. All other visibility rules apply later.
 */
export const tagCandidates = (
  db: Reader,
  viewer: string,
  page: { maxId: string | null; sinceId: string | null; limit: number; each: number },
): Promise<Candidate[]> =>
  db.rows(sql`select c.*, array(select account_id from mentions where status_id = c.id) as mentions,
      array[]::bigint[] as original_mentions
    from (
      select distinct on (s.id) s.* from tag_follows f
      cross join lateral (
        select s.* from status_tags st
        cross join lateral (
          select s.id, s.author_id, s.visibility, s.language, s.in_reply_to_account_id, s.reblog_of_id, s.reblog_of_author_id,
            (s.in_reply_to_account_id is not null or s.in_reply_to_uri is not null) as is_reply
          from statuses s where s.id = st.status_id and s.deleted_at is null and s.visibility = 0) s
        where st.tag_id = f.tag_id and st.status_id < ${page.maxId ?? '9223372036854775807'}::bigint
          and st.status_id > greatest(f.id, ${page.sinceId ?? '0'}::bigint)
        order by st.status_id desc limit ${page.each}) s
      where f.account_id = ${viewer}::bigint and s.author_id <> ${viewer}::bigint
        and not exists (select 1 from author_flags a where a.account_id = s.author_id and (a.silenced or a.suspended))
      order by s.id desc limit ${page.limit}
    ) c order by c.id desc`)
