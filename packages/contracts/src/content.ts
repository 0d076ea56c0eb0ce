/** The parts of statuses and profiles as services hand them to each other: files, polls, hashtags, emoji, quotes. */
import { z } from 'zod'
import { ApprovalGroup } from './entities/index.js'

export const Visibility = z.enum(['public', 'unlisted', 'private', 'direct'])
export type Visibility = z.infer<typeof Visibility>

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

/** What a remote status says it quotes, unproved. */
export const RemoteQuote = z.object({
  /** Null when the quoted status is gone. */
  uri: z.string().nullable(),
  /** The approval it claims to have. */
  stamp: z.string().nullable(),
  /** Named only in fields from before approvals. */
  legacy: z.boolean(),
})
/** Who may quote a remote status: at once, or after being asked. */
export const RemoteQuotePolicy = z.object({ automatic: z.array(ApprovalGroup), manual: z.array(ApprovalGroup) })
