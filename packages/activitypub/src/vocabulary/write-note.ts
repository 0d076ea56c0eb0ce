/** Writes local statuses as ActivityPub documents. */

import { noteContext } from './context.js'
import { lineForAll } from './text-or-html.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import { type EmojiSource, writeEmoji, writeHashtag, writeMention } from './write-tag.js'

export type AttachmentSource = {
  url: string
  mediaType: string
  description: string | null
  blurhash: string | null
  focus: { x: number; y: number } | null
  width: number | null
  height: number | null
}

export type PollSource = {
  multiple: boolean
  options: readonly { title: string; votes: number }[]
  voters: number
  endsAt: string | null
  /** True once the poll has ended. */
  over: boolean
  /** True when the counts per option are hidden. */
  hidden: boolean
}

export type QuoteSource = {
  /** Null when the quoted status was deleted. */
  uri: string | null
  /** The quote authorization by the quoted author. */
  authorization: string | null
}

/** A local status, as its owner stores it. Times are ISO 8601; addresses are absolute. */
export type NoteSource = {
  uri: string
  /** The HTML page, which also serves this document. */
  url: string
  authorUri: string
  /** Final HTML: with links, mentions and hashtags, and the quoted status as a text. */
  html: string
  language: string | null
  /** Plain text; null without a content warning. */
  warning: string | null
  sensitive: boolean
  publishedAt: string
  editedAt: string | null
  inReplyTo: string | null
  /** A collection of the thread if it started here, else the value of the remote server. */
  conversation: string | null
  /** From `vocabulary/audience.ts`. */
  to: readonly string[]
  cc: readonly string[]
  mentions: readonly { uri: string; handle: string }[]
  hashtags: readonly { name: string; url: string }[]
  emojis: readonly EmojiSource[]
  attachments: readonly AttachmentSource[]
  /** The address of the preview card. */
  link: string | null
  poll: PollSource | null
  quote: QuoteSource | null
  /** Quote policy: the public collection, collections or local actors; the author alone means no other actor. */
  mayQuote: readonly string[]
  /** Reply authorization by the author of the parent; null for most. */
  approvedBy: string | null
  counts: { likes: number; shares: number }
  /** Addresses of the first replies of the author. */
  ownReplies: readonly string[]
  /** True if there may be more replies. */
  moreReplies: boolean
}

const writeAttachment = (it: AttachmentSource) => ({
  type: 'Document',
  mediaType: it.mediaType,
  url: it.url,
  name: it.description,
  ...(it.blurhash ? { blurhash: it.blurhash } : {}),
  ...(it.focus ? { focalPoint: [it.focus.x, it.focus.y] } : {}),
  ...(it.width && it.height ? { width: it.width, height: it.height } : {}),
})

const writePoll = (poll: PollSource) => ({
  [poll.multiple ? 'anyOf' : 'oneOf']: poll.options.map((it) => ({
    type: 'Note',
    name: it.title,
    replies: { type: 'Collection', ...(poll.hidden ? {} : { totalItems: it.votes }) },
  })),
  ...(poll.endsAt ? { endTime: isoTime(poll.endsAt), ...(poll.over ? { closed: isoTime(poll.endsAt) } : {}) } : {}),
  votersCount: poll.voters,
})

/** Every property in which some server looks for a quote. */
const writeQuote = ({ uri, authorization }: QuoteSource) =>
  uri === null
    ? { quote: { type: 'Tombstone' } }
    : {
        quote: uri,
        _misskey_quote: uri,
        quoteUri: uri,
        quoteUrl: uri,
        ...(authorization ? { quoteAuthorization: authorization } : {}),
      }

const totals = (uri: string, name: 'likes' | 'shares', totalItems: number) => ({
  id: `${uri}/${name}`,
  type: 'Collection',
  totalItems,
})

/** Replies of the author that are embedded in the status; the rest is on pages. */
export const INLINE_REPLIES = 5

/** Page after the embedded replies: more of the author after this id, or those of other accounts. */
export const repliesAfter = (uri: string, own: string | null): string =>
  own === null ? `${uri}?only_other_accounts=true&page=true` : `${uri}?min_id=${own}&page=true`

const writeReplies = (uri: string, items: readonly string[], more: boolean) => {
  const id = `${uri}/replies`
  // A cursor needs an id, and these are addresses. With more to come, the pages begin anew.
  const next = more ? `${id}?page=true` : repliesAfter(id, null)
  return { id, type: 'Collection', first: { type: 'CollectionPage', next, partOf: id, items: [...items] } }
}

/** The status without a context, for embedding in an activity. */
export const noteNode = (source: NoteSource) => {
  const { uri, language, html, link } = source
  return {
    id: uri,
    type: source.poll ? 'Question' : 'Note',
    summary: source.warning && lineForAll(source.warning),
    inReplyTo: source.inReplyTo,
    published: isoTime(source.publishedAt),
    ...(source.editedAt ? { updated: isoTime(source.editedAt) } : {}),
    url: source.url,
    attributedTo: source.authorUri,
    to: [...source.to],
    cc: [...source.cc],
    sensitive: source.sensitive,
    atomUri: uri,
    inReplyToAtomUri: source.inReplyTo,
    conversation: source.conversation,
    ...(source.conversation?.startsWith('http') ? { context: source.conversation } : {}),
    content: html,
    ...(language ? { contentMap: { [language]: html } } : {}),
    attachment: [...source.attachments.map(writeAttachment), ...(link ? [{ type: 'Link', href: link }] : [])],
    tag: [...source.mentions.map(writeMention), ...source.hashtags.map(writeHashtag), ...source.emojis.map(writeEmoji)],
    interactionPolicy: { canQuote: { automaticApproval: [...source.mayQuote] } },
    // The current property name, and the former one.
    ...(source.approvedBy ? { replyAuthorization: source.approvedBy, approvedBy: source.approvedBy } : {}),
    replies: writeReplies(uri, source.ownReplies, source.moreReplies),
    likes: totals(uri, 'likes', source.counts.likes),
    shares: totals(uri, 'shares', source.counts.shares),
    ...(source.quote ? writeQuote(source.quote) : {}),
    ...(source.poll ? writePoll(source.poll) : {}),
  }
}

/** The status as a document with its own context. */
export const writeNote = (source: NoteSource) => ({ '@context': noteContext, ...noteNode(source) })

/** For `mayQuote`: all actors. */
export const everybody: readonly string[] = [publicCollection]
