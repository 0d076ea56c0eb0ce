/** The parts of statuses and profiles as services hand them to each other: files, polls, hashtags, emoji, quotes. */
import { z } from 'zod'
import { ApprovalGroup, Visibility } from './entities/index.js'

/** A file of a status, wherever it lies. */
export const FileFacts = z.object({
  url: z.string(),
  media_type: z.string(),
  description: z.string().nullable(),
  blurhash: z.string().nullable(),
  /** Pixels. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** From -1 to 1 in each direction. */
  focus: z.tuple([z.number(), z.number()]).nullable(),
})

export const PollFacts = z.object({
  multiple: z.boolean(),
  options: z.array(
    z.object({
      title: z.string(),
      votes: z.int(),
      /** As its server wrote the title, when that is not what is shown; votes go by it. */
      name: z.string().optional(),
    }),
  ),
  expires_at: z.string().nullable(),
  /** Null when its server does not say. */
  voters: z.int().nullable(),
})

/** A hashtag as it is compared, and as its author wrote it. */
export const TagName = z.object({ name: z.string(), display: z.string() })

/** A custom emoji of this server that a text names. */
export const OwnEmoji = z.object({ shortcode: z.string(), url: z.string(), static_url: z.string() })

/** A custom emoji of another server. */
export const RemoteEmoji = z.object({ shortcode: z.string(), url: z.string(), updated: z.string().nullable() })

/** The quoted status that a remote status claims, without proof. */
export const RemoteQuote = z.object({
  /** Null when the quoted status is gone. */
  uri: z.string().nullable(),
  /** The approval it claims to have. */
  stamp: z.string().nullable(),
  /** Named only in fields from before approvals. */
  legacy: z.boolean(),
})
/** Quote policy of a remote status: automatic or manual approval. */
export const RemoteQuotePolicy = z.object({ automatic: z.array(ApprovalGroup), manual: z.array(ApprovalGroup) })
/** Reply policy of a remote status: `public`, `followers`, `following`, or ids of actors. */
export const RemoteReplyPolicy = z.object({
  automatic: z.array(z.string()).max(101),
  manual: z.array(z.string()).max(101),
})

/** Content of a remote status. Accounts are named by their addresses when it is read, and by ids when it is stored. */
export const RemoteContent = z.object({
  uri: z.string(),
  url: z.string().nullable(),
  /** Sanitised HTML. */
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
  attachments: z.array(FileFacts),
  poll: PollFacts.nullable(),
  quote: RemoteQuote.nullable(),
  quote_policy: RemoteQuotePolicy,
  /** Null or absent where everybody may answer. */
  reply_policy: RemoteReplyPolicy.nullable().optional(),
  /** Address of the approval by whom it answers, as it claims; null or absent when it names none. */
  approval: z.string().nullable().optional(),
  /** Counts of its server; null or absent if unknown. */
  favourites_count: z.int().nullable().optional(),
  reblogs_count: z.int().nullable().optional(),
})
