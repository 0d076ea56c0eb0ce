/** Types of parsed remote statuses. The type of every property is checked, but nothing is proved yet. */

import type { Addressing } from './addresses.js'
import type { Uri } from './uri.js'

/**
 * Object types that are stored with their content, and (`convertedKinds`) types of which only title, summary and a link
 * are stored.
 */
export const nativeKinds = ['Note', 'Question'] as const
export const convertedKinds = ['Article', 'Page', 'Image', 'Audio', 'Video', 'Event'] as const
export type NoteKind = (typeof nativeKinds)[number] | (typeof convertedKinds)[number]

export type IncomingMention = {
  /** Actor id, or on some servers the profile page; null if absent. */
  readonly href: Uri | null
  /** Handle of the mentioned account, such as `@ada@social.example`; null if absent. */
  readonly name: string | null
}

export type IncomingEmoji = {
  /** Shortcode without colons. A shortcode is unique together with the author's host. */
  readonly shortcode: string
  readonly url: Uri
  readonly mediaType: string | null
  readonly updated: string | null
}

export type IncomingAttachment = {
  readonly url: Uri
  readonly mediaType: string | null
  readonly description: string | null
  readonly blurhash: string | null
  /** Focal point: `x` from -1 (left) to 1 (right), `y` from -1 (bottom) to 1 (top). */
  readonly focus: { readonly x: number; readonly y: number } | null
  /** Width and height of the media in pixels, as the sender states them. */
  readonly width: number | null
  readonly height: number | null
  /** Duration in seconds, as the sender states it. */
  readonly duration: number | null
  readonly thumbnail: Uri | null
}

export type IncomingPoll = {
  readonly multiple: boolean
  /** `title` is HTML if `markup` is true, else a line that may be HTML. A vote must repeat the title exactly. */
  readonly options: readonly { readonly title: string; readonly markup: boolean; readonly votes: number }[]
  /** Number of voters; null if absent, because it cannot be computed from the votes. */
  readonly voters: number | null
  readonly endsAt: string | null
  /** True if the document says that the poll is closed, but not since when. `endsAt` may then be null or in the future. */
  readonly closed: boolean
}

export type IncomingQuote = {
  /** URI of the quoted status; null if the quoted status was deleted. */
  readonly uri: Uri | null
  /** URI of the authorization of the quote. It must be fetched and verified before the quote counts as approved. */
  readonly authorization: Uri | null
  /**
   * True if only properties older than FEP-044f name the quoted status. A quote that only older properties name is
   * approved only with an authorization.
   */
  readonly legacy: boolean
}

/** Interaction policy: actors and collections that are permitted without (`automatic`) or with (`manual`) approval. */
export type IncomingPolicy = { readonly automatic: readonly Uri[]; readonly manual: readonly Uri[] }

export type IncomingNote = {
  readonly uri: Uri
  readonly kind: NoteKind
  /** Address of the HTML page of the status, preferably on the host of its id; the id if there is no page. */
  readonly url: Uri
  /** Addresses in `attributedTo`, in order: ids of actors, or their pages with some servers. */
  readonly attributedTo: readonly Uri[]
  /** Content of the status as unsanitised HTML. For `convertedKinds`: title, summary and a link. */
  readonly html: string
  /** Content warning; empty if the warning has no text, null if there is none. */
  readonly warning: string | null
  /** `name` of the object. In a vote, the chosen option. */
  readonly title: string | null
  readonly language: string | null
  /**
   * Time of publication, ISO 8601 UTC; null if absent: callers use the time of receipt. The time may be in the future,
   * so callers limit it before sorting.
   */
  readonly published: string | null
  /**
   * Time of the last edit, ISO 8601 UTC; null if never edited. Except in an Update, an edit time that equals
   * `published` counts as never edited.
   */
  readonly updated: string | null
  readonly sensitive: boolean
  readonly inReplyTo: Uri | null
  readonly addressing: Addressing
  readonly mentions: readonly IncomingMention[]
  /** Hashtags of the status as written, without `#`. */
  readonly hashtags: readonly string[]
  readonly emojis: readonly IncomingEmoji[]
  readonly attachments: readonly IncomingAttachment[]
  /** First link among the attachments, for the preview card. */
  readonly link: Uri | null
  readonly poll: IncomingPoll | null
  readonly quote: IncomingQuote | null
  readonly policy: {
    readonly quote: IncomingPolicy | null
    readonly reply: IncomingPolicy | null
    readonly like: IncomingPolicy | null
    readonly announce: IncomingPolicy | null
  }
  /**
   * URI of the approval of this reply by the author of its parent. The approval must be fetched and verified before it
   * counts.
   */
  readonly approvedBy: Uri | null
  /** Id of the conversation: an address or a `tag:` URI. The conversation id is only for display, because it is not proved. */
  readonly conversation: string | null
  /** Counts that the sender states, for display; null if absent. */
  readonly counts: { readonly likes: number | null; readonly shares: number | null; readonly replies: number | null }
}

export type NoteRefusal = 'not-an-object' | 'reshaped' | 'no-context' | 'unsupported-type' | 'no-id' | 'bad-id'
