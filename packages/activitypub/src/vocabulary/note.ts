/** A parsed remote status: the type of every property is checked, none of them is proved. */

import type { Addressing } from './addresses.js'
import type { Uri } from './uri.js'

/** Types that become a status as they are, and types that are shown as a title with a link. */
export const nativeKinds = ['Note', 'Question'] as const
export const convertedKinds = ['Article', 'Page', 'Image', 'Audio', 'Video', 'Event'] as const
export type NoteKind = (typeof nativeKinds)[number] | (typeof convertedKinds)[number]

export type IncomingMention = {
  /** The actor, or on some servers the profile page; null without an address. */
  readonly href: Uri | null
  /** Such as `@ada@social.example`; null without a name. */
  readonly name: string | null
}

export type IncomingEmoji = {
  /** Without colons. Its key is the shortcode together with the author's host. */
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
  /** From -1 to 1, left to right and bottom to top. */
  readonly focus: { readonly x: number; readonly y: number } | null
  /** Pixels, as claimed. */
  readonly width: number | null
  readonly height: number | null
  /** Seconds, as claimed. */
  readonly duration: number | null
  readonly thumbnail: Uri | null
}

export type IncomingPoll = {
  readonly multiple: boolean
  /** Titles are text, or HTML where `markup` is set. A vote repeats them exactly. */
  readonly options: readonly { readonly title: string; readonly markup: boolean; readonly votes: number }[]
  /** Null when absent; it cannot be derived from the votes. */
  readonly voters: number | null
  readonly endsAt: string | null
  /** True when the author closed the poll, whatever `endsAt` is. */
  readonly closed: boolean
}

export type IncomingQuote = {
  /** Null when the quoted status was deleted. */
  readonly uri: Uri | null
  /** The authorization of this quote: fetch it from its own origin before it counts. */
  readonly authorization: Uri | null
  /** True when only properties older than FEP-044f name the quote: without an authorization it can never be approved. */
  readonly legacy: boolean
}

/** Actors that may act on a status: automatically, or after approval. */
export type IncomingPolicy = { readonly automatic: readonly Uri[]; readonly manual: readonly Uri[] }

export type IncomingNote = {
  readonly uri: Uri
  readonly kind: NoteKind
  /** The HTML page, on the host of the id; the id itself when none is given. */
  readonly url: Uri
  /** All actors it is attributed to, in order. */
  readonly attributedTo: readonly Uri[]
  /** Raw: sanitise before storing. For converted kinds the title, the summary and a link. */
  readonly html: string
  /** Plain text; an empty text is a content warning without text, null is none. */
  readonly warning: string | null
  /** Plain text. On a Note in reply to a poll it is the choice. */
  readonly title: string | null
  readonly language: string | null
  /** ISO 8601 UTC; null means "when it arrived". It may be in the future: do not order by it unclamped. */
  readonly published: string | null
  /** Null for a status that was never edited. */
  readonly updated: string | null
  readonly sensitive: boolean
  readonly inReplyTo: Uri | null
  readonly addressing: Addressing
  readonly mentions: readonly IncomingMention[]
  /** Display form without `#`. */
  readonly hashtags: readonly string[]
  readonly emojis: readonly IncomingEmoji[]
  readonly attachments: readonly IncomingAttachment[]
  /** The first link among the attachments, for the preview card. */
  readonly link: Uri | null
  readonly poll: IncomingPoll | null
  readonly quote: IncomingQuote | null
  readonly policy: {
    readonly quote: IncomingPolicy | null
    readonly reply: IncomingPolicy | null
    readonly like: IncomingPolicy | null
    readonly announce: IncomingPolicy | null
  }
  /** The approval of this reply by the author of its parent, to be fetched before it counts. */
  readonly approvedBy: Uri | null
  /** Groups a thread for display; an address or a tag URI. Never a key. */
  readonly conversation: string | null
  /** As claimed, for display; null when absent. */
  readonly counts: { readonly likes: number | null; readonly shares: number | null; readonly replies: number | null }
}

export type NoteRefusal = 'not-an-object' | 'reshaped' | 'no-context' | 'unsupported-type' | 'no-id' | 'bad-id'
