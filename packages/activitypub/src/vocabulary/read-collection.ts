/** Parses collections and their pages, in all forms that servers send, with a limit of items. */

import { limits } from './limits.js'
import { countOf, firstOf, isLoose, type Loose, listOf, prop, type Ref, refOf, typeIn } from './loose.js'
import { readUri, sameOrigin, type Uri } from './uri.js'

export type IncomingCollection = {
  /** Id; null if absent or invalid, such as of an embedded page. */
  readonly uri: Uri | null
  readonly isPage: boolean
  readonly totalItems: number | null
  /** Items with their ids and embedded copies. Copies of items are not proved. */
  readonly items: readonly Ref[]
  /** First page: its address, or the embedded page in `node`; null if absent or on another origin. */
  readonly first: Ref | null
  /** Next page; null if absent, on another origin, or this page itself. */
  readonly next: Uri | null
  /** True if the collection has neither items nor pages, because its owner hides them. */
  readonly hidden: boolean
  /**
   * True if items are missing: a page that is named and cannot be read, because its address is invalid or on another origin, or
   * items that are only counted.
   */
  readonly incomplete: boolean
}

const types = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

const itemsOf = (node: Loose, most: number): readonly Ref[] => {
  const items = prop(node, 'orderedItems') ?? prop(node, 'items')
  return listOf(items, most)
    .map(refOf)
    .filter((it) => it !== null)
}

/** True if the property names a page. */
const names = (value: unknown): boolean => {
  const one = firstOf(value)
  return one !== undefined && one !== null && one !== ''
}

/**
 * Parses a collection or a page. Null for other objects, and if its id is on another origin than `origin`.
 *
 * `origin`: any address on the permitted server; links to others are left out. `most`: number of items that are kept.
 */
export const readCollection = (
  value: unknown,
  options: { origin: string; most?: number },
): IncomingCollection | null => {
  if (!isLoose(value)) return null
  const type = typeIn(value, types)
  if (type === null) return null
  const uri = readUri(prop(value, 'id'))
  if (uri !== null && !sameOrigin(uri, options.origin)) return null
  const items = itemsOf(value, options.most ?? limits.collectionItems)
  const first = refOf(prop(value, 'first'))
  const firstStays = first !== null && (first.id === null || sameOrigin(first.id, options.origin))
  const next = refOf(prop(value, 'next'))?.id ?? null
  const nextStays = next !== null && sameOrigin(next, options.origin)
  const isPage = type.endsWith('Page')
  const hasItems = prop(value, 'orderedItems') !== undefined || prop(value, 'items') !== undefined
  const hidden = !isPage && first === null && !hasItems
  const totalItems = countOf(prop(value, 'totalItems'))
  return {
    uri,
    isPage,
    totalItems,
    items,
    first: firstStays ? first : null,
    next: nextStays && next !== uri ? next : null,
    hidden,
    incomplete:
      (names(prop(value, 'first')) && !firstStays) ||
      (names(prop(value, 'next')) && !nextStays) ||
      (hidden && totalItems !== null && totalItems > 0),
  }
}
