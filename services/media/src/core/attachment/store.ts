/** Stores, reads and changes attachments (table `attachments`). */
import type { MediaMeta } from '@murmuration/contracts/entities'
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { Focus } from './focus.rules.js'
import type { State, Type } from './rules.js'

export interface Attachment {
  id: string
  owner: string
  status: string | null
  scheduled: boolean
  state: State
  type: Type
  media_type: string
  staged_key: string | null
  staged_cover_key: string | null
  original_key: string | null
  small_key: string | null
  remote_url: string | null
  domain: string | null
  description: string | null
  blurhash: string | null
  /** Metadata of the file. It does not contain the focus, which is in `focus_x` and `focus_y`. */
  meta: Omit<MediaMeta, 'focus'>
  focus_x: number | null
  focus_y: number | null
  failed_at: Date | null
  /** Reason why the processing failed, for the owner; null if it is unknown. */
  failure: string | null
  created_at: Date
}

/** Columns that store the result of processing. */
export type Processed = Pick<Attachment, 'type' | 'media_type' | 'original_key' | 'small_key' | 'blurhash' | 'meta'> & {
  size: number
}

export const columns: Sql = sql`id, owner, status, scheduled, state, type, media_type, staged_key, staged_cover_key, original_key, small_key,
  remote_url, domain, description, blurhash, meta, focus_x, focus_y, failed_at, failure, created_at`

/** Keys of the files of these rows, including staged uploads. */
export const keysOf = (
  rows: readonly Pick<Attachment, 'staged_key' | 'staged_cover_key' | 'original_key' | 'small_key'>[],
): string[] =>
  rows
    .flatMap((row) => [row.staged_key, row.staged_cover_key, row.original_key, row.small_key])
    .filter((key) => key !== null)

/** Attachments with these ids that exist, in no particular order. */
export const attachmentsById = (db: Reader, ids: readonly string[]): Promise<Attachment[]> =>
  db.rows(sql`select ${columns} from attachments where id = any(${bigints(ids)})`)

export const attachmentById = async (db: Reader, id: string): Promise<Attachment | null> =>
  (await attachmentsById(db, [id]))[0] ?? null

/** A local attachment that its owner may read and change: in no status, or in a scheduled one (S-107). */
export const openAttachment = (db: Reader, owner: string, id: string): Promise<Attachment | null> =>
  db.row(
    sql`select ${columns} from attachments where id = ${id} and owner = ${owner} and remote_url is null and (status is null or scheduled)`,
  )

/** Local attachments of this owner. The attachments are locked in the order of ids, so that concurrent calls do not deadlock. */
export const lockAttachments = (tx: Tx, owner: string, ids: readonly string[]): Promise<Attachment[]> =>
  tx.rows(sql`select ${columns} from attachments where id = any(${bigints(ids)}) and owner = ${owner} and remote_url is null
    order by id for update`)

/** The upload with this idempotency key, if it is not older than `since`. */
export const attachmentByKey = (db: Reader, owner: string, key: string, since: Date): Promise<Attachment | null> =>
  db.row(
    sql`select ${columns} from attachments where owner = ${owner} and idempotency_key = ${key} and created_at > ${since}`,
  )

/** Removes an idempotency key from uploads created before `before`, so that it can be used again. */
export const deleteKey = (tx: Tx, owner: string, key: string, before: Date): Promise<number> =>
  tx.run(
    sql`update attachments set idempotency_key = null where owner = ${owner} and idempotency_key = ${key} and created_at <= ${before}`,
  )

/** Stores an upload. Throws a duplicate error (`attachments_idempotency`) if the owner used the idempotency key already. */
export const insertAttachment = async (
  tx: Tx,
  row: Omit<Attachment, 'status' | 'scheduled' | 'remote_url' | 'domain' | 'failed_at' | 'failure'> & {
    size: number
    idempotency_key: string | null
  },
): Promise<void> => {
  await tx.run(sql`insert into attachments (id, owner, state, type, media_type, staged_key, staged_cover_key, original_key, small_key,
      description, blurhash, meta, focus_x, focus_y, size, idempotency_key, loose_since, created_at)
    values (${row.id}, ${row.owner}, ${row.state}, ${row.type}, ${row.media_type}, ${row.staged_key}, ${row.staged_cover_key},
      ${row.original_key}, ${row.small_key}, ${row.description}, ${row.blurhash}, ${JSON.stringify(row.meta)}::jsonb, ${row.focus_x},
      ${row.focus_y}, ${row.size}, ${row.idempotency_key}, ${row.created_at}, ${row.created_at})`)
}

export interface Edit {
  id: string
  /** New description; undefined does not change it. */
  description?: string | null | undefined
  focus?: Focus | undefined
}

/** Stores new descriptions and focal points of attachments. */
export const editAttachments = async (tx: Tx, edits: readonly Edit[]): Promise<void> => {
  if (edits.length === 0) return
  await tx.run(sql`update attachments as a set
      description = case when edit.describes then edit.description else a.description end,
      focus_x = coalesce(edit.x, a.focus_x), focus_y = coalesce(edit.y, a.focus_y)
    from unnest(${edits.map((one) => one.id)}::bigint[], ${edits.map((one) => one.description !== undefined)}::boolean[],
      ${edits.map((one) => one.description ?? null)}::text[], ${edits.map((one) => one.focus?.[0] ?? null)}::real[],
      ${edits.map((one) => one.focus?.[1] ?? null)}::real[]) as edit(id, describes, description, x, y)
    where a.id = edit.id`)
}

/**
 * Stores these pictures as the covers (preview pictures) of video and audio attachments, and returns the keys of the
 * earlier covers. The caller has locked the attachments.
 */
export const setCovers = async (
  tx: Tx,
  covers: readonly (Pick<Processed, 'small_key' | 'blurhash' | 'meta' | 'size'> & { id: string })[],
): Promise<string[]> => {
  const rows = await tx.rows<{ key: string | null }>(sql`update attachments a set small_key = cover.small_key,
      blurhash = cover.blurhash, size = a.size + cover.size, meta = a.meta || cover.meta::jsonb
    from unnest(${covers.map((one) => one.id)}::bigint[], ${covers.map((one) => one.small_key)}::text[],
      ${covers.map((one) => one.blurhash)}::text[], ${covers.map((one) => one.size)}::bigint[],
      ${covers.map((one) => JSON.stringify(one.meta))}::text[]) as cover(id, small_key, blurhash, size, meta)
      join attachments before on before.id = cover.id
    where a.id = cover.id returning before.small_key as key`)
  return rows.flatMap((row) => row.key ?? [])
}

/** Stores the result of processing and returns the row. Returns null if the attachment was deleted or failed meanwhile. */
export const finishProcessing = (tx: Tx, id: string, done: Processed): Promise<Attachment | null> =>
  tx.row(sql`update attachments set state = 'done', type = ${done.type}, media_type = ${done.media_type}, original_key = ${done.original_key},
      small_key = ${done.small_key}, blurhash = ${done.blurhash}, meta = ${JSON.stringify(done.meta)}::jsonb, size = ${done.size},
      staged_key = null, staged_cover_key = null
    where id = ${id} and state = 'processing' returning ${columns}`)

/**
 * Marks attachments as failed. Returns the rows of those attachments that were in processing, with the keys of their
 * files.
 */
export const failProcessing = (tx: Tx, ids: readonly string[], failure: string | null): Promise<Attachment[]> =>
  tx.rows(sql`with old as (select ${columns} from attachments where id = any(${ids}::bigint[]) and state = 'processing' order by id for update),
      gone as (update attachments set state = 'failed', failure = ${failure}, staged_key = null, staged_cover_key = null
        where id in (select id from old))
    select * from old`)

/** Ids of attachments in processing that were created before `before`, at most `limit`, oldest first. */
export const overdueProcessing = async (db: Reader, before: Date, limit: number): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(
    sql`select id from attachments where state = 'processing' and created_at < ${before} order by created_at limit ${limit}`,
  )
  return rows.map((row) => row.id)
}
