/** Changing what a status says. */
import { sql, type Tx } from '@murmuration/db'
import type { Emoji } from './status.js'

export interface Edit {
  html: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media_ids: readonly string[]
  emojis: readonly Emoji[]
  tags: readonly string[]
  edited_at: Date
}

/** Writes an edit unless a newer one is there; false when nothing changed. */
export const editStatus = async (tx: Tx, id: string, author: string, edit: Edit): Promise<boolean> =>
  (await tx.run(sql`update statuses set html = ${edit.html}, spoiler_text = ${edit.spoiler_text}, sensitive = ${edit.sensitive},
      language = ${edit.language}, media_ids = ${edit.media_ids}::bigint[], has_media = ${edit.media_ids.length > 0},
      emojis = ${JSON.stringify(edit.emojis)}, tags = ${edit.tags}, edited_at = ${edit.edited_at}, rev = rev + 1
    where id = ${id} and author_id = ${author} and deleted_at is null
      and (edited_at is null or edited_at < ${edit.edited_at})`)) > 0
