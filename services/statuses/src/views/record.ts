/** Statuses as facts for other services, and as the source of documents. */
import type { AttachmentRecord } from '@murmuration/contracts/media'
import type { StatusRecord, StatusSource } from '@murmuration/contracts/statuses'
import { visibilityOf } from '../domain/visibility.js'
import type { StatusRow } from '../store/status.js'

export const recordOf = (row: StatusRow): StatusRecord => ({
  id: row.id,
  uri: row.uri,
  url: row.url,
  author: row.author_id,
  local: row.local,
  visibility: visibilityOf(row.visibility),
  reblog_of: row.reblog_of_id,
  reblog_of_author: row.reblog_of_author_id,
  in_reply_to: row.in_reply_to_id,
  in_reply_to_author: row.in_reply_to_author_id,
  conversation: row.conversation_id,
  mentions: row.mentions.map((one) => one.id),
  created_at: row.created_at.toISOString(),
  deleted: row.deleted_at !== null,
})

export const sourceOf = (
  row: StatusRow,
  attachments: ReadonlyMap<string, AttachmentRecord>,
  counts: { replies: number; reblogs: number; favourites: number },
): StatusSource => ({
  ...recordOf(row),
  html: row.html,
  text: row.text,
  spoiler_text: row.spoiler_text,
  sensitive: row.sensitive,
  language: row.language,
  edited_at: row.edited_at?.toISOString() ?? null,
  in_reply_to_uri: row.in_reply_to_uri,
  reblog_of_uri: row.reblog_of_uri,
  quote_uri: null,
  conversation_uri: row.conversation_uri,
  mention_accounts: row.mentions,
  tags: row.tags,
  attachments: row.media_ids.flatMap((id) => {
    const one = attachments.get(id)
    return one
      ? [
          {
            url: one.url,
            media_type: one.media_type,
            description: one.description,
            blurhash: one.blurhash,
            width: one.width,
            height: one.height,
            focus: one.focus,
          },
        ]
      : []
  }),
  poll: null,
  replies_count: counts.replies,
  reblogs_count: counts.reblogs,
  favourites_count: counts.favourites,
})
