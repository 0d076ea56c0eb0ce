/** Schemas of statuses: the full form, and the forms inside a reblog, inside a quote, and after deletion. */
import { z } from 'zod'
import { Account } from './account.js'
import { QuoteApproval } from './approval.js'
import { Collection } from './collection.js'
import { CustomEmoji } from './custom-emoji.js'
import { EmojiReaction } from './emoji-reaction.js'
import { FilterResult } from './filter.js'
import { MediaAttachment } from './media-attachment.js'
import { Poll } from './poll.js'
import { PreviewCard } from './preview-card.js'
import { Count, Html, Id, LanguageCode, Timestamp, Url } from './primitive.js'
import { quoteStatesHidden, quoteStatesShown, ShallowQuote } from './quote.js'
import { ShallowTag } from './tag.js'
import { Visibility } from './visibility.js'

/** An account that a status or announcement mentions. */
export const Mention = z
  .strictObject({ id: Id, username: z.string().min(1), url: Url, acct: z.string().min(1) })
  .meta({ id: 'Mention', description: 'An account that a text mentions.' })
export type Mention = z.infer<typeof Mention>

/** Application with which a status was created. */
export const StatusApplication = z
  .strictObject({ name: z.string(), website: z.string().nullable() })
  .meta({ id: 'StatusApplication', description: 'The application with which a status was created.' })
export type StatusApplication = z.infer<typeof StatusApplication>

const commonShape = {
  id: Id,
  created_at: Timestamp,
  in_reply_to_id: Id.nullable(),
  in_reply_to_account_id: Id.nullable(),
  sensitive: z.boolean(),
  spoiler_text: z.string(),
  visibility: Visibility,
  language: LanguageCode.nullable(),
  uri: z.string().min(1),
  url: Url.nullable(),
  replies_count: Count,
  reblogs_count: Count,
  favourites_count: Count,
  quotes_count: Count,
  edited_at: Timestamp.nullable(),
  account: Account,
  media_attachments: z.array(MediaAttachment),
  mentions: z.array(Mention),
  tags: z.array(ShallowTag),
  emojis: z.array(CustomEmoji),
  card: PreviewCard.nullable(),
  poll: Poll.nullable(),
  quote_approval: QuoteApproval,
  tagged_collections: z.array(Collection),
  /** Application with which the status was created. Absent if the author hides it; null if unknown. */
  application: StatusApplication.nullable().optional(),
  /**
   * Whether the viewer favourited the status. `favourited`, `reblogged`, `muted`, `bookmarked` and `filtered` are
   * present for authenticated viewers only.
   */
  favourited: z.boolean().optional(),
  reblogged: z.boolean().optional(),
  muted: z.boolean().optional(),
  bookmarked: z.boolean().optional(),
  filtered: z.array(FilterResult).optional(),
  /** Present only on statuses with emoji reactions. `emoji_reactions` is not part of Mastodon's API. */
  emoji_reactions: z.array(EmojiReaction).optional(),
  /** `pinned` is present only on the viewer's own statuses that can be pinned. */
  pinned: z.boolean().optional(),
}

/** A status inside a quote. A quoted status is no reblog, and its own quote is only an id. */
export const QuotedStatus = z
  .strictObject({ ...commonShape, content: Html, reblog: z.null(), quote: ShallowQuote.nullable() })
  .meta({ id: 'QuotedStatus', description: 'A status that another one quotes.' })
export type QuotedStatus = z.infer<typeof QuotedStatus>

/** A quote with its state, and the quoted status if the viewer may see it. */
export const Quote = z
  .discriminatedUnion('state', [
    z.strictObject({ state: z.enum(quoteStatesShown), quoted_status: QuotedStatus }),
    z.strictObject({ state: z.enum(quoteStatesHidden), quoted_status: z.null() }),
  ])
  .meta({ id: 'Quote', description: 'A quoted status and the state of the quote.' })
export type Quote = z.infer<typeof Quote>

/** Original status of a reblog. A reblog never contains another reblog. */
export const RebloggedStatus = z
  .strictObject({ ...commonShape, content: Html, reblog: z.null(), quote: Quote.nullable() })
  .meta({ id: 'RebloggedStatus', description: 'A status that another account reblogged.' })
export type RebloggedStatus = z.infer<typeof RebloggedStatus>

/** Members of a status. The form of a status for staff adds members to them. */
export const statusShape = {
  ...commonShape,
  content: Html,
  reblog: RebloggedStatus.nullable(),
  quote: Quote.nullable(),
}

/** A status or a reblog. A reblog has an empty `content` and the original in `reblog`. */
export const Status = z.strictObject(statusShape).meta({ id: 'Status', description: 'A status, or the reblog of one.' })
export type Status = z.infer<typeof Status>

const { content: _content, ...withoutContent } = statusShape

/** A deleted status. It contains the source text instead of HTML, so that the client can edit the text and publish it again. */
export const DeletedStatus = z
  .strictObject({ ...withoutContent, text: z.string() })
  .meta({ id: 'DeletedStatus', description: 'A status that was just deleted, with its source text.' })
export type DeletedStatus = z.infer<typeof DeletedStatus>
