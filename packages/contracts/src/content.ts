/** Parts of statuses and profiles that services exchange: files, polls, hashtags, emoji, quotes. */
import { z } from 'zod'
import { ApprovalGroup, Visibility } from './entities/index.js'

/** A file of a status, local or remote. */
export const FileData = z.object({
  url: z.string(),
  media_type: z.string(),
  description: z.string().nullable(),
  blurhash: z.string().nullable(),
  /** Width of the file in pixels; the next member is its height. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Focal point of the picture: x and y, each from -1 to 1. */
  focus: z.tuple([z.number(), z.number()]).nullable(),
})

export const PollData = z.object({
  multiple: z.boolean(),
  options: z.array(
    z.object({
      title: z.string(),
      votes: z.int(),
      /** Title of the poll option as its server wrote it, if the shown title differs. Votes contain this title. */
      name: z.string().optional(),
    }),
  ),
  expires_at: z.string().nullable(),
  /** Number of voters; null if the server of the poll does not state it. */
  voters: z.int().nullable(),
  /** True if the document states that the poll is closed, but not when. Then `expires_at` is the present or earlier. */
  closed: z.boolean().optional(),
})

/** A hashtag in normalised form, and as its author wrote it. */
export const TagName = z.object({ name: z.string(), display: z.string() })

/** A custom emoji of this server that is used in a text. */
export const OwnEmoji = z.object({ shortcode: z.string(), url: z.string(), static_url: z.string() })

/** A custom emoji of another server. */
export const RemoteEmoji = z.object({ shortcode: z.string(), url: z.string(), updated: z.string().nullable() })

/** Quote of a remote status as its server states it, not verified. */
export const RemoteQuote = z.object({
  /** Address of the quoted status; null if that status was deleted. */
  uri: z.string().nullable(),
  /** Address of the quote authorization that the remote status states (FEP-044f); null without one. */
  stamp: z.string().nullable(),
  /** True when only properties older than FEP-044f name the quoted status. */
  legacy: z.boolean(),
})
/** Quote policy of a remote status: automatic or manual approval. */
export const RemoteQuotePolicy = z.object({ automatic: z.array(ApprovalGroup), manual: z.array(ApprovalGroup) })
/** Reply policy of a remote status: `public`, `followers`, `following`, or ids of actors. */
export const RemoteReplyPolicy = z.object({
  automatic: z.array(z.string()).max(101),
  manual: z.array(z.string()).max(101),
})

/** Content of a remote status. Accounts are actor ids when it is fetched, and account ids when it is stored. */
export const RemoteContent = z.object({
  uri: z.string(),
  url: z.string().nullable(),
  /** Content of the status as sanitised HTML. */
  html: z.string(),
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  visibility: Visibility,
  published: z.string(),
  edited_at: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  conversation: z.string().nullable(),
  tags: z.array(TagName),
  emojis: z.array(RemoteEmoji),
  attachments: z.array(FileData),
  poll: PollData.nullable(),
  quote: RemoteQuote.nullable(),
  quote_policy: RemoteQuotePolicy,
  /** Reply policy of the status. Null or absent if anyone may reply. */
  reply_policy: RemoteReplyPolicy.nullable().optional(),
  /** Address of the approval that a reply states, not verified; null or absent without one. */
  approval: z.string().nullable().optional(),
  /** Numbers of favourites and boosts as the status's own server states them; null or absent if unknown. */
  favourites_count: z.int().nullable().optional(),
  reblogs_count: z.int().nullable().optional(),
})
