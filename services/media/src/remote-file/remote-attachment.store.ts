/** Rows of attachments whose files are on other servers, and who is fetching them. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Type } from '../core/attachment.rules.js'
import { type Attachment, columns, type Processed } from '../core/attachment.store.js'
import type { Focus } from '../core/focus.rules.js'
import { afterFailure, type Claimed, type Fate } from '../core/remote-copy.store.js'

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

/** Writes what a remote status shows now, in order; what is there already keeps its id and its copy. `retryAt` is for what is never heard of. */
export const putRemoteAttachments = (
  tx: Tx,
  of: { owner: string; status: string; domain: string | null; now: Date; retryAt: Date },
  items: readonly RemoteAttachment[],
): Promise<{ id: string; remote_url: string; fresh: boolean }[]> =>
  tx.rows(sql`insert into attachments as a (id, owner, status, domain, created_at, position, remote_url, type, media_type, state, description,
      blurhash, meta, focus_x, focus_y, retry_at)
    select item.id, ${of.owner}::bigint, ${of.status}::bigint, ${of.domain}::text, ${of.now}::timestamptz, item.position, item.remote_url, item.type,
      item.media_type, item.state, item.description, item.blurhash, item.meta, item.x, item.y,
      case when item.state = 'remote' then ${of.retryAt}::timestamptz end
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((_, at) => at)}::smallint[], ${items.map((one) => one.remote_url)}::text[],
      ${items.map((one) => one.type)}::text[], ${items.map((one) => one.media_type)}::text[], ${items.map((one) => one.state)}::text[],
      ${items.map((one) => one.description)}::text[], ${items.map((one) => one.blurhash)}::text[],
      ${items.map((one) => JSON.stringify(one.meta))}::jsonb[], ${items.map((one) => one.focus?.[0] ?? null)}::real[],
      ${items.map((one) => one.focus?.[1] ?? null)}::real[])
      as item(id, position, remote_url, type, media_type, state, description, blurhash, meta, x, y)
    on conflict (status, remote_url) where remote_url is not null do update set
      position = excluded.position, description = excluded.description, focus_x = excluded.focus_x, focus_y = excluded.focus_y
    returning a.id, a.remote_url, a.id = any(${items.map((one) => one.id)}::bigint[]) as fresh`)

/** Deletes attachments of a remote status that it shows no more; the rows that are gone. */
export const dropRemoteAttachments = (tx: Tx, status: string, kept: readonly string[]): Promise<Attachment[]> =>
  tx.rows(sql`delete from attachments where status = ${status} and remote_url is not null and remote_url <> all(${kept}::text[])
    returning ${columns}`)

/**
 * Takes the right to fetch until `until`; null when somebody else has it or there is nothing to fetch, or with `missing` the copy is
 * there. With `missing` it is tried again later, should whoever has the right never be heard of.
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

/** The copy is here; the row as it is now, or null when it was deleted meanwhile. */
export const cacheAttachment = (tx: Tx, id: string, done: Processed, at: Date): Promise<Attachment | null> =>
  tx.row(sql`update attachments set state = 'cached', type = ${done.type}, media_type = ${done.media_type}, original_key = ${done.original_key},
      small_key = ${done.small_key}, blurhash = coalesce(${done.blurhash}, blurhash), meta = ${JSON.stringify(done.meta)}::jsonb,
      size = ${done.size}, cached_at = ${at}, claimed_until = null, failed_at = null, failures = 0, retry_at = null
    where id = ${id} returning ${columns}`)

/** Lets others try; when no try will do better, the file is shown from where it is. */
export const unclaimAttachment = (db: Reader, id: string, fate: Fate): Promise<number> =>
  db.run(sql`update attachments set claimed_until = null, ${afterFailure(fate)},
      state = case when ${fate.forGood} and state = 'remote' then 'uncached' else state end
    where id = ${id}`)
