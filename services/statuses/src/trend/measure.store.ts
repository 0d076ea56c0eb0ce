/**
 * SQL that selects the candidates for trends: the most used tags and links of today, and statuses with many favourites
 * and boosts.
 */
import { type Reader, type Sql, sql } from '@murmuration/db'
import { isArticle } from '../core/preview-card/usage.store.js'

/** Numbers of accounts that used a tag or link today and yesterday, and the highest score of the tag or link so far. */
export interface UsageRow {
  id: string
  today: number
  yesterday: number
  top_score: number | null
  top_at: Date | null
  language: string | null
  allowed: boolean | null
  /** Address, if the row is about a link. */
  url?: string
}

interface Days {
  today: string
  yesterday: string
  /** Minimum number of accounts that used the tag or link today. */
  least: number
  limit: number
}

/**
 * Tags that many accounts used today, or that are trends already. Tags that staff made unusable are excluded. The
 * language is the most frequent one of the 20 latest statuses with the tag.
 */
export const measuredTags = (db: Reader, days: Days): Promise<UsageRow[]> =>
  db.rows(sql`with seen as (
      (select tag_id as id from tag_days where day = ${days.today}::date and accounts >= ${days.least}
        order by accounts desc limit ${days.limit})
      union select id from trends where kind = 0
    )
    select tag.id, coalesce(now.accounts, 0) as today, coalesce(before.accounts, 0) as yesterday, old.top_score, old.top_at,
      tag.trendable as allowed, spoken.language
    from seen join tags tag on tag.id = seen.id and tag.usable
    left join tag_days now on now.day = ${days.today}::date and now.tag_id = tag.id
    left join tag_days before on before.day = ${days.yesterday}::date and before.tag_id = tag.id
    left join trends old on old.kind = 0 and old.id = tag.id
    left join lateral (select mode() within group (order by late.language) as language from (
      select s.language from status_tags st join statuses s on s.id = st.status_id
      where st.tag_id = tag.id order by st.status_id desc limit 20) late) spoken on true`)

/** Links to articles (S-070) that many accounts shared today, or that are trends already. */
export const measuredLinks = (db: Reader, days: Days): Promise<UsageRow[]> =>
  db.rows(sql`with seen as (
      (select preview_id as id from preview_days where day = ${days.today}::date and accounts >= ${days.least}
        order by accounts desc limit ${days.limit})
      union select id from trends where kind = 1
    )
    select p.id, coalesce(now.accounts, 0) as today, coalesce(before.accounts, 0) as yesterday, old.top_score, old.top_at,
      p.trendable as allowed, p.language, p.url
    from seen join previews p on p.id = seen.id and ${isArticle}
    left join preview_days now on now.day = ${days.today}::date and now.preview_id = p.id
    left join preview_days before on before.day = ${days.yesterday}::date and before.preview_id = p.id
    left join trends old on old.kind = 1 and old.id = p.id`)

export interface LikedRow {
  id: string
  author_id: string
  marks: number
  created_at: Date
  language: string
  allowed: boolean | null
}

/**
 * Condition on statuses `s`: public, not a boost, not a reply, not sensitive, with a language, by a discoverable
 * author.
 */
const mayTrend: Sql = sql`s.deleted_at is null and s.visibility = 0 and s.reblog_of_id is null
  and s.in_reply_to_id is null and s.in_reply_to_uri is null and s.spoiler_text = '' and not s.sensitive
  and s.language is not null and exists (select 1 from author_flags a where a.account_id = s.author_id
    and a.discoverable and not a.silenced and not a.suspended and not a.sensitized)`

/**
 * Statuses since `since` with at least `least` favourites and boosts, highest score first. A quoted status must meet
 * the same condition.
 */
export const measuredStatuses = (
  db: Reader,
  of: { since: Date; now: Date; least: number; limit: number },
): Promise<LikedRow[]> =>
  db.rows(sql`select liked.status_id as id, shown.author_id, liked.favourites + liked.reblogs as marks, shown.created_at,
      shown.language, shown.trendable as allowed
    from status_stats liked
    cross join lateral (select s.author_id, s.created_at, s.language, s.trendable from statuses s
      where s.id = liked.status_id and ${mayTrend}
        and not exists (select 1 from quotes q where q.status_id = s.id
          and not exists (select 1 from statuses s where s.id = q.quoted_id and ${mayTrend}))) shown
    where liked.status_id >= id_floor(${of.since}) and liked.favourites + liked.reblogs >= ${of.least}
    order by 2 * ln(liked.favourites + liked.reblogs)
      - ln(2) * extract(epoch from ${of.now}::timestamptz - shown.created_at) / 3600 desc
    limit ${of.limit}`)
