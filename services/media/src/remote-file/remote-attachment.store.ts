/** Stores and deletes remote attachments, their copies, and the claims of processes that fetch them. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Focus } from '../core/attachment/focus.rules.js'
import type { Type } from '../core/attachment/rules.js'
import { type Attachment, columns, type Processed } from '../core/attachment/store.js'
import { afterFailure, type Claimed, type FailedTry } from '../core/remote-file/copy.store.js'

export interface RemoteAttachment {
  id: string
  remote_url: string
  type: Type
  media_type: string
  state: 'remote' | 'uncached'
  description: string | null
  blurhash: string | null
  meta: Attachment['meta']
  focus: Focus | null
}

/**
 * Stores the current attachments of a remote status, in order. Attachments that are already stored keep their id and
 * copy. If a new attachment has neither a copy nor a recorded failure at the time `retryAt`, it is queued again. With `reservedSince`,
 * they are checked an hour later, because the version that has them may not be stored.
 */
export const putRemoteAttachments = (
  tx: Tx,
  of: { owner: string; status: string; domain: string | null; now: Date; retryAt: Date; reservedSince: Date | null },
  items: readonly RemoteAttachment[],
): Promise<{ id: string; remote_url: string; fresh: boolean }[]> =>
  tx.rows(sql`insert into attachments as a (id, owner, status, domain, created_at, position, remote_url, type, media_type, state, description,
      blurhash, meta, focus_x, focus_y, retry_at, reserved_since)
    select item.id, ${of.owner}::bigint, ${of.status}::bigint, ${of.domain}::text, ${of.now}::timestamptz, item.position, item.remote_url, item.type,
      item.media_type, item.state, item.description, item.blurhash, item.meta, item.x, item.y,
      case when item.state = 'remote' then ${of.retryAt}::timestamptz end, ${of.reservedSince}::timestamptz
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((_, at) => at)}::smallint[], ${items.map((one) => one.remote_url)}::text[],
      ${items.map((one) => one.type)}::text[], ${items.map((one) => one.media_type)}::text[], ${items.map((one) => one.state)}::text[],
      ${items.map((one) => one.description)}::text[], ${items.map((one) => one.blurhash)}::text[],
      ${items.map((one) => JSON.stringify(one.meta))}::jsonb[], ${items.map((one) => one.focus?.[0] ?? null)}::real[],
      ${items.map((one) => one.focus?.[1] ?? null)}::real[])
      as item(id, position, remote_url, type, media_type, state, description, blurhash, meta, x, y)
    order by item.remote_url
    on conflict (status, remote_url) where remote_url is not null do update set
      position = excluded.position, description = excluded.description, focus_x = excluded.focus_x, focus_y = excluded.focus_y,
      reserved_since = coalesce(excluded.reserved_since, a.reserved_since)
    returning a.id, a.remote_url, a.id = any(${items.map((one) => one.id)}::bigint[]) as fresh`)

/** Deletes attachments that a remote status no longer contains, and returns the deleted rows. */
export const dropRemoteAttachments = (tx: Tx, status: string, kept: readonly string[]): Promise<Attachment[]> =>
  tx.rows(sql`delete from attachments where status = ${status} and remote_url is not null and remote_url <> all(${kept}::text[])
    returning ${columns}`)

/**
 * Claims the right to fetch an attachment until `until`. Returns null if another process has the claim, or the
 * attachment is not remote. With `missing`, returns null also if a copy exists, and schedules the next try in case this
 * process ends.
 */
export const claimAttachment = (
  db: Reader,
  id: string,
  it: { now: Date; until: Date; missing: boolean },
): Promise<Claimed<Attachment> | null> =>
  db.row(sql`update attachments set claimed_until = ${it.until},
      retry_at = case when ${it.missing} then greatest(retry_at, ${it.until}) else retry_at end
    where id = ${id} and remote_url is not null
    and (claimed_until is null or claimed_until < ${it.now}) and not (${it.missing} and original_key is not null)
    returning ${columns}, failures`)

/** Stores the copy of an attachment in its row, and returns the row. Returns null if the attachment was deleted meanwhile. */
export const cacheAttachment = (tx: Tx, id: string, done: Processed, at: Date): Promise<Attachment | null> =>
  tx.row(sql`update attachments set state = 'cached', type = ${done.type}, media_type = ${done.media_type}, original_key = ${done.original_key},
      small_key = ${done.small_key}, blurhash = coalesce(${done.blurhash}, blurhash), meta = ${JSON.stringify(done.meta)}::jsonb,
      size = ${done.size}, cached_at = ${at}, claimed_until = null, failed_at = null, failures = 0, retry_at = null
    where id = ${id} returning ${columns}`)

/**
 * Ends the claim of a process on an attachment, and stores the outcome of its try to copy the file. After a permanent
 * failure, clients get only the remote address.
 */
export const unclaimAttachment = (db: Reader, id: string, fate: FailedTry): Promise<number> =>
  db.run(sql`update attachments set claimed_until = null, ${afterFailure(fate)},
      state = case when ${fate.forGood} and state = 'remote' then 'uncached' else state end
    where id = ${id}`)
