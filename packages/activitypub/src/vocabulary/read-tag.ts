/** Reads the tags of a document: mentions, hashtags, custom emoji, and links to quoted statuses. */

import { limits } from './limits.js'
import { entriesOf, firstOf, hrefOf, isLoose, type Loose, listOf, prop, textOf, typesOf } from './loose.js'
import type { IncomingEmoji, IncomingMention } from './note.js'
import { readImage } from './read-attachment.js'
import { naturalText } from './read-text.js'
import { timeOf } from './time.js'
import type { Uri } from './uri.js'

export type IncomingTags = {
  mentions: readonly IncomingMention[]
  hashtags: readonly string[]
  emojis: readonly IncomingEmoji[]
  /** Address of the quoted status in a link tag (FEP-e232). */
  quote: Uri | null
}

/** The nodes of a `tag` property. Some servers merge a list and a single tag into one map; both are found in it. */
const nodesOf = (given: unknown): readonly Loose[] => {
  const value = entriesOf(given)
  const entries = isLoose(value) ? [value, ...Object.values(value)] : listOf(value, limits.tags)
  return entries.slice(0, limits.tags).filter((it): it is Loose => isLoose(it))
}

const handle = /^@?[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*(?:@[^\s@/]+)?$/i

/** The handle of a mention: its name, in any form of a text, or an `acct:` address in the place of its `href`. */
const handleIn = (node: Loose): string | null =>
  [naturalText(node, 'name', 512), textOf(prop(node, 'href'), 512)]
    .map((it) => it?.trim().replace(/^acct:(?=[^/])/i, '') ?? '')
    .find((it) => handle.test(it)) ?? null

const readMention = (node: Loose): IncomingMention | null => {
  const href = hrefOf(node)
  const known = handleIn(node)
  return href === null && !known?.includes('@', 1) ? null : { href, name: known }
}

const hashtag = /^[\p{L}\p{N}\p{M}_·・\u200c]+$/u

const notInHashtag = /[^\p{L}\p{N}\p{M}_·・\u200c]/gu

/** The written form of a hashtag, without dashes, spaces and brackets, as Mastodon cleans it; its key is made where it is stored. */
const readHashtag = (node: Loose): string | null => {
  const name = naturalText(node, 'name', 500)?.normalize('NFKC').replace(notInHashtag, '') ?? ''
  return hashtag.test(name) && /[^\p{N}_·・\u200c]/u.test(name) ? name : null
}

/** A shortcode between colons, with a host. */
const longestEmojiName = limits.shortcode + 256

const shortcode = /^(?!\.+$)[\p{L}\p{N}\p{M}_+.-]+$/u

/** A custom emoji from its tag; null for one without image or with a name that could be mistaken for a path. */
export const readEmoji = (node: Loose): IncomingEmoji | null => {
  const icon = firstOf(prop(node, 'icon'))
  const url = readImage(prop(node, 'icon'))?.url ?? null
  // The emoji of a third server may be named with its host.
  const given = naturalText(node, 'name', longestEmojiName)?.replace(/^:|:$/g, '') ?? ''
  const name = given.replace(/@[^@]+$/, '')
  if (url === null || name.length > limits.shortcode || !shortcode.test(name)) return null
  const mediaType = isLoose(icon) ? textOf(prop(icon, 'mediaType'), 100) : null
  return { shortcode: name, url, mediaType, updated: timeOf(prop(node, 'updated')) }
}

const quoteRelations: ReadonlySet<unknown> = new Set([
  'https://misskey-hub.net/ns#_misskey_quote',
  'https://w3id.org/fep/044f#quote',
])
const documentTypes = /^application\/(?:activity\+json|ld\+json)\b/

const readQuoteLink = (node: Loose): Uri | null => {
  const isQuote = listOf(prop(node, 'rel'), 8).some((it) => quoteRelations.has(it))
  return isQuote && documentTypes.test(textOf(prop(node, 'mediaType'), 200) ?? '') ? hrefOf(node) : null
}

const read = <T>(nodes: readonly Loose[], type: string, reader: (node: Loose) => T | null): readonly T[] =>
  nodes
    .filter((node) => typesOf(node).includes(type))
    .map(reader)
    .filter((it): it is T & {} => it !== null)
    .slice(0, limits.tagsOfKind)

const distinct = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
]

/** Everything usable in a `tag` property; a malformed tag is skipped and the document kept. */
export const readTags = (value: unknown): IncomingTags => {
  const nodes = nodesOf(value)
  return {
    mentions: distinct(read(nodes, 'Mention', readMention), (it) => it.href ?? it.name ?? ''),
    hashtags: distinct(read(nodes, 'Hashtag', readHashtag), (it) => it.toLowerCase()),
    emojis: distinct(read(nodes, 'Emoji', readEmoji), (it) => it.shortcode),
    quote: read(nodes, 'Link', readQuoteLink)[0] ?? null,
  }
}
