/** Parses the tags of a document: mentions, hashtags, custom emoji, and links to quoted statuses. */

import { isValidTag } from '@murmuration/text'
import { plainPath } from '@murmuration/text/plain-path'
import {
  addressIn,
  entriesOf,
  firstOf,
  hrefOf,
  isJsonObject,
  type JsonObject,
  listOf,
  prop,
  scalarOf,
  textOf,
  typesOf,
} from './json.js'
import { limits } from './limits.js'
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

/**
 * Objects in a `tag` property. Some servers merge a list and a single tag into one map, so the values of a map are
 * parsed too.
 */
const nodesOf = (given: unknown): readonly JsonObject[] => {
  const value = entriesOf(given)
  const entries = isJsonObject(value) ? [value, ...Object.values(value)] : listOf(value, limits.tags)
  return entries.slice(0, limits.tags).filter((it): it is JsonObject => isJsonObject(it))
}

const handle = /^@?[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*(?:@[^\s@/]+)?$/i

/** Handle of a mention, from an `acct:` address in `href`, else from its `name`; null if there is none. */
const handleIn = (node: JsonObject): string | null =>
  [textOf(addressIn(prop(node, 'href')), 512), naturalText(node, 'name', 512)]
    .map((it) => plainPath(it?.trim() ?? '').replace(/^acct:(?=[^/])/i, ''))
    .find((it) => handle.test(it)) ?? null

const readMention = (node: JsonObject): IncomingMention | null => {
  const href = hrefOf(node)
  const known = handleIn(node)
  return href === null && !known?.includes('@', 1) ? null : { href, name: known }
}

/**
 * Characters that are removed from a hashtag. Variation selectors and keycap marks of emoji are named explicitly,
 * because `\p{M}` would permit them.
 */
const notInHashtag = /[^\p{L}\p{Nd}\p{M}_·・\u200c]|[\ufe00-\ufe0f\u20e3]/gu

/** Matches separators at the beginning and end of a hashtag, which are permitted only inside. */
const outerSeparators = /^[·・\u200c]+|[·・\u200c]+$/g

/** Name of a hashtag as written, without dashes, spaces and brackets, as Mastodon cleans it; null if no valid name is left. */
export const readHashtag = (node: JsonObject): string | null => {
  const cleaned = naturalText(node, 'name', 500)?.normalize('NFKC').replace(notInHashtag, '') ?? ''
  const name = cleaned.replace(outerSeparators, '')
  return isValidTag(name) ? name : null
}

/** Maximum number of characters of an emoji name: shortcode, colons and a host. */
const longestEmojiName = limits.shortcode + 256

const shortcode = /^(?!\.+$)[\p{L}\p{N}\p{M}_+.-]+$/u

/** Parses the tag of a custom emoji; null if it has no image, or if its name is not a valid shortcode. */
export const readEmoji = (node: JsonObject): IncomingEmoji | null => {
  const icon = firstOf(prop(node, 'icon'))
  const url = readImage(prop(node, 'icon'))?.url ?? null
  // The name of an emoji of a third server may end with `@host`.
  const given = naturalText(node, 'name', longestEmojiName)?.replace(/^:|:$/g, '') ?? ''
  const name = given.replace(/@[^@]+$/, '')
  if (url === null || name.length > limits.shortcode || !shortcode.test(name)) return null
  const mediaType = isJsonObject(icon) ? textOf(prop(icon, 'mediaType'), 100) : null
  return { shortcode: name, url, mediaType, updated: timeOf(prop(node, 'updated')) }
}

const quoteRelations: ReadonlySet<unknown> = new Set([
  'https://misskey-hub.net/ns#_misskey_quote',
  'https://w3id.org/fep/044f#quote',
])
const documentTypes = /^application\/(?:activity\+json|ld\+json)\b/

const readQuoteLink = (node: JsonObject): Uri | null => {
  const isQuote = listOf(prop(node, 'rel'), 8).some((it) => quoteRelations.has(scalarOf(it)))
  const type = textOf(prop(node, 'mediaType'), 200)
  return isQuote && (type === null || documentTypes.test(type)) ? hrefOf(node) : null
}

const read = <T>(nodes: readonly JsonObject[], type: string, reader: (node: JsonObject) => T | null): readonly T[] =>
  nodes
    .filter((node) => typesOf(node).includes(type))
    .map(reader)
    .filter((it): it is T & {} => it !== null)
    .slice(0, limits.tagsOfKind)

const distinct = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
]

/** Parses a `tag` property. Malformed tags are skipped, and duplicates are removed. */
export const readTags = (value: unknown): IncomingTags => {
  const nodes = nodesOf(value)
  return {
    mentions: distinct(read(nodes, 'Mention', readMention), (it) => it.href ?? it.name ?? ''),
    hashtags: distinct(read(nodes, 'Hashtag', readHashtag), (it) => it.toLowerCase()),
    emojis: distinct(read(nodes, 'Emoji', readEmoji), (it) => it.shortcode),
    quote: read(nodes, 'Link', readQuoteLink)[0] ?? null,
  }
}
