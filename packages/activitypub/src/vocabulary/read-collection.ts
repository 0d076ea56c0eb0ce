/** Parses collections and their pages, in all forms that servers send, with a limit of items. */

import { countOf, firstOf, isJsonObject, type JsonObject, listOf, prop, type Ref, refOf, typeIn } from './json.js'
import { limits } from './limits.js'
import { readUri, sameOrigin, type Uri } from './uri.js'

export type IncomingCollection = {
  /** Id of the collection or page; null if absent or invalid. Embedded pages may have no id. */
  readonly uri: Uri | null
  readonly isPage: boolean
  readonly totalItems: number | null
  /** Items with their ids and embedded copies. Copies of items are not proved. */
  readonly items: readonly Ref[]
  /** First page: its address, or the embedded page in `node`; null if absent or on another origin. */
  readonly first: Ref | null
  /** Address of the next page; null if absent, on another origin, or the address of this page. */
  readonly next: Uri | null
  /** True if the collection has neither items nor pages, because its owner hides them. */
  readonly hidden: boolean
  /**
   * True if items are missing: the address of a page is invalid or on another origin, or the collection has a count
   * without items.
   */
  readonly incomplete: boolean
}

const types = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

const itemsOf = (node: JsonObject, max: number): readonly Ref[] => {
  const items = prop(node, 'orderedItems') ?? prop(node, 'items')
  return listOf(items, max)
    .map(refOf)
    .filter((it) => it !== null)
}

/** True if the value of a property such as `first` or `next` refers to a page. */
const namesPage = (value: unknown): boolean => {
  const one = firstOf(value)
  return one !== undefined && one !== null && one !== ''
}

/** Reads the links of a collection or a page, and whether items are missing. `origin` as in `readCollection`. */
export const readPageLinks = (
  node: JsonObject,
  { origin, isPage }: { origin: string; isPage: boolean },
): Pick<IncomingCollection, 'totalItems' | 'first' | 'next' | 'hidden' | 'incomplete'> => {
  const first = refOf(prop(node, 'first'))
  const firstStays = first !== null && (first.id === null || sameOrigin(first.id, origin))
  const next = refOf(prop(node, 'next'))?.id ?? null
  const nextStays = next !== null && sameOrigin(next, origin)
  const hasItems = prop(node, 'orderedItems') !== undefined || prop(node, 'items') !== undefined
  const hidden = !isPage && first === null && !hasItems
  const totalItems = countOf(prop(node, 'totalItems'))
  return {
    totalItems,
    first: firstStays ? first : null,
    next: nextStays ? next : null,
    hidden,
    incomplete:
      (namesPage(prop(node, 'first')) && !firstStays) ||
      (namesPage(prop(node, 'next')) && !nextStays) ||
      (hidden && totalItems !== null && totalItems > 0),
  }
}

/**
 * Parses a collection or a page. Null for other objects, and if its id is on another origin than `origin`.
 *
 * `origin`: any address on the permitted server; links to other origins are left out. `max`: maximum number of items
 * that are returned.
 */
export const readCollection = (
  value: unknown,
  options: { origin: string; max?: number },
): IncomingCollection | null => {
  if (!isJsonObject(value)) return null
  const type = typeIn(value, types)
  if (type === null) return null
  const uri = readUri(prop(value, 'id'))
  if (uri !== null && !sameOrigin(uri, options.origin)) return null
  const items = itemsOf(value, options.max ?? limits.collectionItems)
  const isPage = type.endsWith('Page')
  const links = readPageLinks(value, { origin: options.origin, isPage })
  return { uri, isPage, items, ...links, next: links.next === uri ? null : links.next }
}
