/** Parses statuses: a checked status, or the reason of the refusal. */

import { type Addressing, readAddressing } from './addresses.js'
import { isActivityStreams, languageOfContext } from './context.js'
import {
  addressIn,
  hrefOf,
  idOf,
  isJsonObject,
  isYes,
  type JsonObject,
  listOf,
  mayBePage,
  prop,
  textOf,
  totalOf,
  typeIn,
} from './json.js'
import { limits } from './limits.js'
import { convertedKinds, type IncomingNote, type NoteKind, type NoteRefusal, nativeKinds } from './note.js'
import { isReshaped } from './parse-document.js'
import { fetchedOf, readAttachments } from './read-attachment.js'
import { readPoll } from './read-poll.js'
import { readPolicy, readQuote } from './read-quote.js'
import { readTags } from './read-tag.js'
import { escapeHtml, languageOf, naturalText, plainToHtml } from './read-text.js'
import { isHtmlLine, lineText } from './text-or-html.js'
import { timeOf } from './time.js'
import { hostOf, readFetched, readUri, type Uri } from './uri.js'

export type ReadNoteOptions = {
  /** True for a fetched document, whose `@context` must contain ActivityStreams. */
  fetched?: boolean
  /** Addressing and language of the enclosing activity, used if the status has none. */
  around?: { addressing: Addressing; language: string | null }
  /** True for the object of an Update. The `updated` of an updated object is kept even if it equals `published`. */
  edit?: boolean
  /** Maximum number of media of a status; further media are left out. */
  attachments?: number
}

export type ReadNote = { ok: true; note: IncomingNote } | { ok: false; reason: NoteRefusal }

const kinds: ReadonlySet<NoteKind> = new Set([...nativeKinds, ...convertedKinds])
const converted: ReadonlySet<NoteKind> = new Set(convertedKinds)

/** Address of the page of a status: the first `url` that may be HTML, preferably on its own host; else its id. */
const urlOf = (node: JsonObject, uri: Uri): Uri => {
  const entries = listOf(prop(node, 'url'), 32).filter(mayBePage)
  // The address of a page is only opened and never compared, so it may be normalised.
  const pageOf = (it: unknown) => hrefOf(it) ?? fetchedOf(it)
  const pages = [...entries.map(pageOf), readFetched(addressIn(prop(node, 'href')))].filter((it) => it !== null)
  return pages.find((it) => hostOf(it) === hostOf(uri)) ?? pages[0] ?? uri
}

const isPlainText = (node: JsonObject): boolean => {
  const type = textOf(prop(node, 'mediaType'), 100)
  return type !== null && /^text\/(?!html\b)/.test(type)
}

const htmlOf = (node: JsonObject): string => {
  const content = naturalText(node, 'content', limits.html) ?? ''
  return content !== '' && isPlainText(node) ? plainToHtml(content) : content
}

/**
 * HTML for object types that are not stored with their content (`convertedKinds`): title, summary and a link to the
 * page.
 */
const convertedHtml = (node: JsonObject, url: Uri): string => {
  const title = lineText(naturalText(node, 'name', limits.line) ?? '')
  const summary = naturalText(node, 'summary', limits.html)
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`
  return [
    title && `<h2>${escapeHtml(title)}</h2>`,
    summary && (isHtmlLine(summary) ? summary : plainToHtml(summary)),
    link,
  ]
    .filter(Boolean)
    .join('')
}

/**
 * Content warning of a status; null if there is none. A content warning of white space only, which some servers send,
 * becomes empty.
 */
const warningOf = (node: JsonObject): string | null => {
  const summary = naturalText(node, 'summary', limits.line)
  if (!summary) return null
  return /^[\s\u200b-\u200d\u2060\ufeff]*$/u.test(summary) ? '' : summary
}

const sensitiveNames = ['sensitive', 'as:sensitive']

/** True if the status or one of its attachments is sensitive, in the plain or the compact form of the property name. */
const isSensitive = (node: JsonObject): boolean =>
  [node, ...listOf(prop(node, 'attachment'), limits.attachmentEntries).filter(isJsonObject)].some((it) =>
    sensitiveNames.some((name) => isYes(prop(it, name))),
  )

const conversationOf = (node: JsonObject): string | null =>
  [prop(node, 'context'), prop(node, 'conversation')]
    .map((it) => {
      const text = addressIn(it)
      return idOf(it) ?? (typeof text === 'string' && /^tag:[^\s]{1,1000}$/.test(text) ? text : null)
    })
    .find((it) => it !== null) ?? null

/**
 * Authors of an object, from `attributedTo`: ids of actors, or addresses of Link objects. At most eight authors are
 * returned.
 */
export const authorsIn = (node: JsonObject): readonly Uri[] => {
  const authors = listOf(prop(node, 'attributedTo'), 8).map(
    (it) => idOf(it) ?? (isJsonObject(it) ? readUri(addressIn(prop(it, 'href'))) : null),
  )
  return [...new Set(authors.filter((it) => it !== null))]
}

/** URI of the parent of a status, from an address, an object or a Link; null if the status is not a reply. */
export const inReplyToOf = (node: JsonObject): Uri | null =>
  idOf(prop(node, 'inReplyTo')) ?? hrefOf(prop(node, 'inReplyTo'))

/** Parses a status. The caller must check the authority of its sender, because no property is proved. */
export const readNote = (value: unknown, options: ReadNoteOptions = {}): ReadNote => {
  const no = (reason: NoteRefusal): ReadNote => ({ ok: false, reason })
  if (!isJsonObject(value)) return no('not-an-object')
  if (options.fetched && !isActivityStreams(value)) return no('no-context')
  if (options.fetched && isReshaped(value)) return no('reshaped')
  const kind = typeIn(value, kinds)
  if (kind === null) return no('unsupported-type')
  const id = prop(value, 'id')
  if (id === undefined || id === null) return no('no-id')
  const uri = readUri(id)
  if (uri === null) return no('bad-id')

  const url = urlOf(value, uri)
  const isConverted = converted.has(kind)
  const tags = readTags(prop(value, 'tag'))
  const { media, link } = readAttachments(prop(value, 'attachment'), options.attachments ?? limits.attachments)
  const published = timeOf(prop(value, 'published'))
  const updated = timeOf(prop(value, 'updated'))
  const note: IncomingNote = {
    uri,
    kind,
    url,
    attributedTo: authorsIn(value),
    html: isConverted ? convertedHtml(value, url) : htmlOf(value),
    warning: isConverted ? null : warningOf(value),
    title: naturalText(value, 'name', limits.line),
    language: languageOf(value) ?? options.around?.language ?? languageOfContext(value),
    published,
    updated: updated === published && !options.edit ? null : updated,
    sensitive: isSensitive(value),
    inReplyTo: inReplyToOf(value),
    addressing: readAddressing(value, options.around?.addressing),
    mentions: tags.mentions,
    hashtags: tags.hashtags,
    emojis: tags.emojis,
    attachments: media,
    link,
    poll: isConverted ? null : readPoll(value),
    quote: readQuote(value, tags.quote),
    policy: readPolicy(value),
    approvedBy: idOf(prop(value, 'replyAuthorization')) ?? idOf(prop(value, 'approvedBy')),
    conversation: conversationOf(value),
    counts: {
      likes: totalOf(prop(value, 'likes')),
      shares: totalOf(prop(value, 'shares')),
      replies: totalOf(prop(value, 'replies')),
    },
  }
  return { ok: true, note }
}

/** The vote in a Note that has only the name of an option and replies to a poll; null for other Notes. */
export const voteOf = (note: IncomingNote): { poll: Uri; option: string } | null => {
  const isVote = note.kind === 'Note' && note.html === '' && note.attachments.length === 0 && note.poll === null
  return isVote && note.inReplyTo !== null && note.title ? { poll: note.inReplyTo, option: note.title } : null
}
