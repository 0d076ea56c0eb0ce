/** SQL of the pictures of preview cards, and of the statuses that have attachments. */
import { bigints, type Reader, sql } from '@murmuration/db'
import { MAX_VERSIONS, newestVersions } from '../core/status/edit.store.js'

/** A day in the upper bits of ids. */
const DAY = sql`(86400000::bigint << 16)`

/** An attachment, its owner, and the id for which it is reserved. */
export interface Reserved {
  id: string
  owner: string
  status: string
}

/** The status that has an attachment, or null. `scheduled`: it is not published yet. */
export interface Holder {
  id: string
  holder: string | null
  scheduled: boolean
}

/**
 * The status that has each attachment:
 *
 * 1. The status for which it is reserved. The status also has the attachments of the earlier versions that its history
 *    shows (S-013).
 * 2. A scheduled status of the owner. While a job attempts to publish it, the holder is the id for which the attachment
 *    is reserved.
 * 3. Another status of the owner, which an earlier attempt published after a later attempt reserved the attachment.
 */
export const holdersOf = (db: Reader, items: readonly Reserved[]): Promise<Holder[]> =>
  db.rows(sql`select i.id, coalesce(own.id, waiting.holder, other.id) as holder,
      own.id is null and waiting.holder is not null as scheduled
    from unnest(${bigints(items.map((one) => one.id))}, ${bigints(items.map((one) => one.owner))},
      ${bigints(items.map((one) => one.status))}) as i(id, owner, status)
    left join lateral (select s.id from statuses s where s.id = i.status and (s.media_ids @> array[i.id]
      or (s.edited_at is not null and exists (select 1 from (select media from status_edits where status_id = i.status
        order by ${newestVersions} limit ${MAX_VERSIONS}) e
        where e.media @> jsonb_build_array(jsonb_build_object('id', i.id::text)))))) own on true
    left join lateral (select case when q.queued_at is not null and q.failed_at is null then i.status else q.id end as holder
      from scheduled_statuses q where q.account_id = i.owner and q.media_ids @> array[i.id] and own.id is null
      limit 1) waiting on true
    left join lateral (select s.id from statuses s where s.author_id = i.owner and s.deleted_at is null and s.has_media
      and s.id > i.status - ${DAY} and s.id < i.status + ${DAY} and s.media_ids @> array[i.id]
      and own.id is null and waiting.holder is null limit 1) other on true`)

/** Ids of the attachments that these preview cards show. */
export const imagesOf = async (db: Reader, cards: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ image_id: string }>(
        sql`select image_id from previews where id = any(${bigints(cards)}) and image_id is not null`,
      )
    ).map((row) => row.image_id),
  )
