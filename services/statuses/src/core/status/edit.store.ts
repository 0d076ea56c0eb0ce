/** SQL of the edit history of statuses, and of the columns that an edit replaces. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Emoji } from './store.js'

export interface EditRow {
  id: string
  status_id: string
  created_at: Date
  text: string
  html: string
  spoiler_text: string
  sensitive: boolean
  emojis: Emoji[]
  media: { id: string; description: string | null }[]
  poll_options: string[] | null
  has_quote: boolean
}

export const insertEdit = (tx: Tx, edit: EditRow): Promise<number> =>
  tx.run(sql`insert into status_edits (id, status_id, created_at, text, html, spoiler_text, sensitive, emojis, media, poll_options,
      has_quote)
    values (${edit.id}, ${edit.status_id}, ${edit.created_at}, ${edit.text}, ${edit.html}, ${edit.spoiler_text},
      ${edit.sensitive}, ${JSON.stringify(edit.emojis)}, ${JSON.stringify(edit.media)}, ${edit.poll_options},
      ${edit.has_quote})`)

/** Maximum number of versions that the history of a status shows. */
export const MAX_VERSIONS = 200

/** SQL of the order of the versions of a status, newest first. */
export const newestVersions = sql`created_at desc, id desc`

/** The latest versions of a status that its history shows, oldest first. */
export const editsOf = async (db: Reader, status: string): Promise<EditRow[]> =>
  (
    await db.rows<EditRow>(sql`select id, status_id, created_at, text, html, spoiler_text, sensitive, emojis, media,
      poll_options, has_quote from status_edits where status_id = ${status}
      order by ${newestVersions} limit ${MAX_VERSIONS}`)
  ).toReversed()

export const hasEdits = async (db: Reader, status: string): Promise<boolean> =>
  (await db.row(sql`select 1 from status_edits where status_id = ${status} limit 1`)) !== null

/** Ids of the attachments of the version that the history no longer shows since the latest edit. */
export const filesOfHiddenVersion = async (tx: Tx, status: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select file.id from (select media from status_edits where status_id = ${status}
        order by ${newestVersions} offset ${MAX_VERSIONS} limit 1) version
      cross join lateral jsonb_to_recordset(version.media) as file(id text)`)
  ).map((file) => file.id)

export interface Content {
  text: string
  html: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media_ids: readonly string[]
  tags: readonly string[]
  emojis: readonly Emoji[]
  poll_id: string | null
  edited_at: Date | null
}

/** Replaces the content of a status and increases its revision. */
export const updateContent = (tx: Tx, id: string, content: Content): Promise<number> =>
  tx.run(sql`update statuses set text = ${content.text}, html = ${content.html}, spoiler_text = ${content.spoiler_text},
      sensitive = ${content.sensitive}, language = ${content.language}, media_ids = ${content.media_ids}::bigint[],
      has_media = ${content.media_ids.length > 0}, tags = ${content.tags}, emojis = ${JSON.stringify(content.emojis)},
      poll_id = ${content.poll_id}, edited_at = ${content.edited_at}, rev = rev + 1
    where id = ${id} and deleted_at is null`)

/** Stores the time of an edit that changed nothing readers see. */
export const setEditedAt = (tx: Tx, id: string, at: Date): Promise<number> =>
  tx.run(sql`update statuses set edited_at = ${at}, rev = rev + 1 where id = ${id} and deleted_at is null`)
