/** Reads single values out of loose JSON: every property may be absent, null, a scalar, a list, an object or nonsense. */

import { readUri, type Uri } from './uri.js'

/** A JSON object of which nothing is known yet. Read it with `prop`, never with a dot. */
export type Loose = { readonly [key: string]: unknown }

/** Something named by a document: its id, when it has a sound one, and the copy that was sent along, which proves nothing. */
export type Ref = { readonly id: Uri | null; readonly node: Loose | null }

export const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own property; properties of a prototype do not count. */
export const prop = (node: Loose, name: string): unknown => (Object.hasOwn(node, name) ? node[name] : undefined)

/** The entries of a JSON-LD list or set (`{"@list": […]}`). Any other value as it is. */
export const entriesOf = (value: unknown): unknown => {
  const [name, ...others] = isLoose(value) ? Object.keys(value) : []
  return others.length === 0 && (name === '@list' || name === '@set') ? prop(value as Loose, name) : value
}

/**
 * The value as a list of at most `most`: one thing is a list of one, nothing is an empty list. Lists inside the list are left
 * out: no property has them, and whoever sends them hopes that two readers unwrap them differently.
 */
export const listOf = (value: unknown, most: number): readonly unknown[] => {
  const given = entriesOf(value)
  if (given === undefined || given === null) return []
  return Array.isArray(given) ? given.slice(0, most).filter((it) => !Array.isArray(it)) : [given]
}

/** The value itself, or the first of its entries that is something. */
export const firstOf = (value: unknown): unknown => listOf(value, 8).find((it) => it !== undefined && it !== null)

/** At most `most` UTF-16 units, without leaving half a character behind. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = text.charCodeAt(most - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? most - 1 : most)
}

/** One plain value: of a list the first entry that is something, of a JSON-LD value object what it states. */
export const scalarOf = (value: unknown): unknown => {
  const one = firstOf(value)
  return isLoose(one) ? prop(one, '@value') : one
}

/** A string cut to `most`, or null for everything else. */
export const textOf = (value: unknown, most: number): string | null => {
  const text = scalarOf(value)
  return typeof text === 'string' ? cut(text, most) : null
}

/** The address in a JSON-LD reference, which has an `@id` and nothing else. Any other value as it is. */
export const referenceOf = (value: unknown): unknown =>
  isLoose(value) && Object.hasOwn(value, '@id') && Object.keys(value).length === 1 ? prop(value, '@id') : value

/** A reference from an address, an object with an id, an object without one, or the first of a list; null for the rest. */
export const refOf = (value: unknown): Ref | null => {
  const one = referenceOf(firstOf(value))
  if (isLoose(one)) return { id: readUri(prop(one, 'id')), node: one }
  const id = readUri(one)
  return id === null ? null : { id, node: null }
}

/** The id of an address, of an object, or of the first of a list. */
export const idOf = (value: unknown): Uri | null => refOf(value)?.id ?? null

/** True for a list of several values. */
export const isSeveral = (value: unknown): boolean => {
  const given = entriesOf(value)
  return Array.isArray(given) && given.length > 1
}

/** The id of exactly one value: a list of several has none. */
export const soleIdOf = (value: unknown): Uri | null => (isSeveral(value) ? null : idOf(value))

/** All sound ids in a list. */
export const idsOf = (value: unknown, most: number): readonly Uri[] => [
  ...new Set(
    listOf(value, most)
      .map(idOf)
      .filter((id) => id !== null),
  ),
]

/** The address of a link: a string, the `href` of a Link, or the `url` of an object, which may be a Link or a list. */
export const hrefOf = (value: unknown): Uri | null => {
  const one = referenceOf(firstOf(value))
  if (!isLoose(one)) return readUri(one)
  const url = referenceOf(firstOf(prop(one, 'url')))
  return readUri(scalarOf(referenceOf(prop(one, 'href')))) ?? readUri(isLoose(url) ? scalarOf(prop(url, 'href')) : url)
}

/** The type names of a node, at most eight. */
export const typesOf = (node: Loose): readonly string[] =>
  listOf(prop(node, 'type'), 8).filter((it): it is string => typeof it === 'string')

/** The first of the node's types that is in the set. */
export const typeIn = <T extends string>(node: Loose, known: ReadonlySet<T>): T | null =>
  typesOf(node).find((it): it is T => known.has(it as T)) ?? null

/** Everything that may mean yes counts as yes, so that nothing sensitive is shown openly. */
export const isYes = (value: unknown): boolean => {
  const said = scalarOf(value)
  return said === true || said === 1 || (typeof said === 'string' && /^(?:true|1|yes)$/i.test(said.trim()))
}

/** The largest number taken from a remote; it fits a 32-bit integer. */
const mostCount = 2_147_483_647

/** A count: a whole number from 0, bounded; null for everything else. */
export const countOf = (value: unknown): number | null => {
  const count = scalarOf(value)
  return typeof count === 'number' && count >= 0 && Number.isInteger(count) ? Math.min(count, mostCount) : null
}

/** The `totalItems` of a collection that was sent along. */
export const totalOf = (value: unknown): number | null => (isLoose(value) ? countOf(prop(value, 'totalItems')) : null)
