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
  /** True if the poll has ended. */
  over: boolean
  /** True if the number of votes per option is hidden. */
  hidden: boolean
}

export type QuoteSource = {
  /** Id of the quoted status; null if the quoted status was deleted. */
  uri: string | null
  /** Id of the authorization by the quoted author; null if there is none. */
  authorization: string | null
}

/** Data of a local status for its document. Times are ISO 8601, addresses are absolute. */
export type NoteSource = {
  uri: string
  /** Address of the HTML page of the status. */
  url: string
  authorUri: string
  /** Final HTML, with links, mentions and hashtags, and the address of a quoted status. */
  html: string
  language: string | null
  /** Content warning as plain text; null if there is none. */
  warning: string | null
  sensitive: boolean
  publishedAt: string
  editedAt: string | null
  inReplyTo: string | null
  /**
   * Id of the conversation: the URI of its collection if the conversation began on this server, else the value that the
   * remote server sent.
   */
  conversation: string | null
  /** Addressing, as `addressingFor` returns it. */
  to: readonly string[]
  cc: readonly string[]
  mentions: readonly { uri: string; handle: string }[]
  hashtags: readonly { name: string; url: string }[]
  emojis: readonly EmojiSource[]
  attachments: readonly AttachmentSource[]
  /** Address of the linked page in the preview card, or null. */
  link: string | null
  poll: PollSource | null
  quote: QuoteSource | null
  /** Ids of actors and collections that may quote without approval. The author's id alone permits no other actor. */
  mayQuote: readonly string[]
  /** Id of the reply authorization by the author of the parent; null if there is none. */
  approvedBy: string | null
  counts: { likes: number; shares: number }
  /** Ids of the author's first replies to this status. */
  ownReplies: readonly string[]
  /** True if the status may have more replies of its author than `ownReplies`. */
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
    // The title is sent unchanged, because a running poll whose option names change loses its votes on other servers.
    name: it.title,
    replies: { type: 'Collection', ...(poll.hidden ? {} : { totalItems: it.votes }) },
  })),
  ...(poll.endsAt ? { endTime: isoTime(poll.endsAt), ...(poll.over ? { closed: isoTime(poll.endsAt) } : {}) } : {}),
  votersCount: poll.voters,
})

/** Writes a quote with all properties by which other servers recognise quotes. */
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

/**
 * Maximum number of replies of the author whose ids are in the document of the status. The document links pages with
 * further replies.
 */
export const INLINE_REPLIES = 5

/**
 * Address of the page with the author's replies after the status id `own`. If `own` is null, address of the first page
 * with replies of other accounts.
 */
export const repliesAfter = (uri: string, own: string | null): string =>
  own === null ? `${uri}?only_other_accounts=true&page=true` : `${uri}?min_id=${own}&page=true`

const writeReplies = (uri: string, items: readonly string[], more: boolean) => {
  const id = `${uri}/replies`
  // The cursor of a page is a status id. Only the URIs of the replies are known here, so the next page begins with the first
  // reply again.
  const next = more ? `${id}?page=true` : repliesAfter(id, null)
  return { id, type: 'Collection', first: { type: 'CollectionPage', next, partOf: id, items: [...items] } }
}

/** The Note without `@context`, to be embedded in an activity. */
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
    // The approval of a reply is written under the current property name and under the older name.
    ...(source.approvedBy ? { replyAuthorization: source.approvedBy, approvedBy: source.approvedBy } : {}),
    replies: writeReplies(uri, source.ownReplies, source.moreReplies),
    likes: totals(uri, 'likes', source.counts.likes),
    shares: totals(uri, 'shares', source.counts.shares),
    ...(source.quote ? writeQuote(source.quote) : {}),
    ...(source.poll ? writePoll(source.poll) : {}),
  }
}

/** Writes the Note as a document. */
export const writeNote = (source: NoteSource) => ({ '@context': noteContext, ...noteNode(source) })

/** Value of `mayQuote` that permits all actors. */
export const everybody: readonly string[] = [publicCollection]
