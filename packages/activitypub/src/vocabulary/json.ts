/** Parses single values of untrusted JSON, in which every property may be absent, or have any type. */

import { readUri, type Uri } from './uri.js'

/** An unchecked JSON object. Members are read with `prop`, never with a dot. */
export type JsonObject = { readonly [key: string]: unknown }

/**
 * A reference to an object in a document. `id`: id of the object; null if absent or invalid. `node`: the embedded copy,
 * which is not proved, or null.
 */
export type Ref = { readonly id: Uri | null; readonly node: JsonObject | null }

/** Whether a value is an object of JSON: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Value of an own property of the object; undefined for absent and inherited properties. */
export const prop = (node: JsonObject, name: string): unknown => (Object.hasOwn(node, name) ? node[name] : undefined)

/**
 * The entries of a JSON-LD list or set (`{"@list": […]}`), and of a map with numbers as keys (`{"0": …, "2": …}`), which PHP writes
 * for a list with gaps. Any other value is returned unchanged.
 */
export const entriesOf = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value)
  const [name] = keys
  if (name !== undefined && keys.every((key) => /^\d{1,9}$/.test(key))) return Object.values(value)
  return keys.length === 1 && (name === '@list' || name === '@set') ? prop(value, name) : value
}

/**
 * The value as a list of at most `max` entries. A single value becomes a list of one; undefined and null become an
 * empty list.
 *
 * Nested lists are left out, because no property has nested lists and parsers would disagree about them.
 */
export const listOf = (value: unknown, max: number): readonly unknown[] => {
  const given = entriesOf(value)
  if (given === undefined || given === null) return []
  return Array.isArray(given) ? given.slice(0, max).filter((it) => !Array.isArray(it)) : [given]
}

const isStated = (value: unknown): boolean => value !== undefined && value !== null

/** The value itself, or the first entry of a list that is not null. An empty string is returned only if no other entry exists. */
export const firstOf = (value: unknown): unknown => {
  const entries = listOf(value, 8).filter(isStated)
  return entries.find((it) => it !== '') ?? entries[0]
}

/** Cuts a text to at most `max` UTF-16 units, without splitting a surrogate pair. */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const end = text.charCodeAt(max - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? max - 1 : max)
}

/** A single plain value: the first entry of a list, or the `@value` of a JSON-LD value object. */
export const scalarOf = (value: unknown): unknown => {
  const one = firstOf(value)
  return isJsonObject(one) ? prop(one, '@value') : one
}

/** A string, cut to `max` UTF-16 units; null for other values. */
export const textOf = (value: unknown, max: number): string | null => {
  const text = scalarOf(value)
  return typeof text === 'string' ? cut(text, max) : null
}

/** The address in a JSON-LD reference (`{"@id": …}`) or value object (`{"@value": …}`). Any other value is returned unchanged. */
export const referenceOf = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, '@value')) return prop(value, '@value')
  return Object.hasOwn(value, '@id') && Object.keys(value).length === 1 ? prop(value, '@id') : value
}

/**
 * A single plain value, such as the address in `href`. Of a list, this is the first entry; of a reference its `@id`, of a value
 * object its `@value`, and of an object without other members its `id`. Undefined for other objects.
 */
export const addressIn = (value: unknown): unknown => {
  const one = referenceOf(firstOf(value))
  if (!isJsonObject(one)) return one
  return Object.keys(one).length === 1 ? prop(one, 'id') : undefined
}

/** Address of a Link object, which refers to a document but is no copy of it; null for other objects. */
const linkedBy = (node: JsonObject): Uri | null =>
  typesOf(node).includes('Link') ? readUri(addressIn(prop(node, 'href'))) : null

/** Reference from an address, a Link, an object with or without an id, or the first entry of a list; null for other values. */
export const refOf = (value: unknown): Ref | null => {
  const one = referenceOf(firstOf(value))
  const linked = isJsonObject(one) ? linkedBy(one) : null
  if (isJsonObject(one) && linked === null) return { id: readUri(prop(one, 'id')), node: one }
  const id = linked ?? readUri(one)
  return id === null ? null : { id, node: null }
}

/** The id of the object that a value refers to (see `refOf`); null if it has none. */
export const idOf = (value: unknown): Uri | null => refOf(value)?.id ?? null

/** True for a list of more than one entry. Absent and empty entries do not count. */
export const isSeveral = (value: unknown): boolean => {
  const given = entriesOf(value)
  return Array.isArray(given) && given.filter((it) => isStated(it) && it !== '').length > 1
}

/** The id of the object that a value refers to; null if the value is a list of several objects. */
export const soleIdOf = (value: unknown): Uri | null => (isSeveral(value) ? null : idOf(value))

/** All valid ids among the first `max` entries of a list, without duplicates. */
export const idsOf = (value: unknown, max: number): readonly Uri[] => [
  ...new Set(
    listOf(value, max)
      .map(idOf)
      .filter((id) => id !== null),
  ),
]

/**
 * Address from a string, the `href` of a Link, or the `url` of an object. The `href` is a string or an object with an id, and the
 * `url` a string, Link or list. Null if there is no address.
 */
export const hrefOf = (value: unknown): Uri | null => {
  const one = referenceOf(firstOf(value))
  if (!isJsonObject(one)) return readUri(one)
  const url = referenceOf(firstOf(prop(one, 'url')))
  return idOf(prop(one, 'href')) ?? readUri(isJsonObject(url) ? addressIn(prop(url, 'href')) : url)
}

/** Prefix of types of the ActivityStreams vocabulary: the compact form `as:`, or the whole address. */
const vocabulary = /^(?:as:|https:\/\/www\.w3\.org\/ns\/activitystreams#)/

const fepTypes = (fep: string, ...types: string[]) => types.map((type) => [`https://w3id.org/fep/${fep}#${type}`, type])
const prefixed = (type: string, ...prefixes: string[]) => prefixes.map((prefix) => [`${prefix}${type}`, type])

/** Short names of types of other vocabularies, by their compact forms and whole addresses. */
const extensionTypes = new Map([
  ...prefixed('EmojiReact', 'litepub:', 'http://litepub.social/ns#'),
  ...prefixed('Emoji', 'toot:', 'http://joinmastodon.org/ns#'),
  ...prefixed('PropertyValue', 'schema:', 'http://schema.org#', 'http://schema.org/', 'https://schema.org/'),
  ...['ReplyRequest', 'ReplyAuthorization', 'ReplyApproval'].flatMap((it) =>
    prefixed(it, 'gts:', 'https://gotosocial.org/ns#'),
  ),
  ...fepTypes('044f', 'QuoteRequest', 'QuoteAuthorization'),
  ...fepTypes('7aa9', 'FeaturedCollection', 'FeaturedItem', 'FeatureRequest', 'FeatureAuthorization'),
] as [string, string][])

/**
 * The short name of a type: `Hashtag` for `as:Hashtag`, and for the type with the whole address of the vocabulary.
 * Types of other vocabularies are shortened in the same way.
 */
export const shortType = (type: string): string => extensionTypes.get(type) ?? type.replace(vocabulary, '')

/** Type names of an object (`node`), at most eight, without the prefix of the vocabulary. */
export const typesOf = (node: JsonObject): readonly string[] =>
  listOf(prop(node, 'type'), 8).flatMap((it) => (typeof it === 'string' ? shortType(it) : []))

/**
 * Value of a property that the ActivityStreams context does not define. JSON-LD processors write such a property in its
 * compact form (`as:movedTo`) if the document does not define it.
 */
export const extension = (node: JsonObject, name: string): unknown => prop(node, name) ?? prop(node, `as:${name}`)

/** The first type of an object (`node`) that is in `known`; null if no type is. */
export const typeIn = <T extends string>(node: JsonObject, known: ReadonlySet<T>): T | null =>
  typesOf(node).find((it): it is T => known.has(it as T)) ?? null

/** Matches texts that count as the boolean false. */
const no = /^(?:false|f|0|no|n|off|null|none)?$/i

const isNoForm = (value: unknown): boolean => {
  const one = isJsonObject(value) && Object.hasOwn(value, '@value') ? prop(value, '@value') : value
  return one === false || one === 0 || (typeof one === 'string' && no.test(one.trim()))
}

/**
 * True for values that mean no (false, 0, "false", "0", "no"), so that no content is shown against the author's will.
 */
export const isNo = (value: unknown): boolean => {
  const values = listOf(value, 8).filter((it) => it !== undefined && it !== null)
  return values.length > 0 && values.every(isNoForm)
}

/**
 * True for every present value that does not mean no (see `isNo`), so that sensitive content is not shown by mistake.
 */
export const isYes = (value: unknown): boolean =>
  listOf(value, 8).some((it) => it !== undefined && it !== null && !isNoForm(it))

/** Largest count, the maximum of a signed 32-bit integer. A larger count is reduced to this maximum. */
const maxCount = 2_147_483_647

/** A non-negative integer, at most `maxCount`; null for other values. */
export const countOf = (value: unknown): number | null => {
  const count = scalarOf(value)
  return typeof count === 'number' && count >= 0 && Number.isInteger(count) ? Math.min(count, maxCount) : null
}

/** `totalItems` of an embedded collection; null if absent or invalid. */
export const totalOf = (value: unknown): number | null => {
  const one = firstOf(value)
  return isJsonObject(one) ? countOf(prop(one, 'totalItems')) : null
}

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i

/** The `mediaType` of an entry of the property `url`; null if absent. A value that is no text becomes an empty text. */
export const mediaTypeOf = (entry: unknown): string | null => {
  const type = isJsonObject(entry) ? (prop(entry, 'mediaType') ?? null) : null
  return type === null ? null : (textOf(type, 100) ?? '')
}

/** True if an entry of the property `url` may be a web page: its `mediaType` is HTML or absent. */
export const mayBePage = (entry: unknown): boolean => {
  const type = mediaTypeOf(entry)
  return type === null || PAGE.test(type)
}
