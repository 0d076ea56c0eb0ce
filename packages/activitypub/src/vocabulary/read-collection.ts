/** Reads collections and their pages: bounded, tolerant of every shape that servers give them. */

import { limits } from './limits.js'
import { countOf, isLoose, type Loose, listOf, prop, type Ref, refOf, typeIn } from './loose.js'
import { readUri, sameOrigin, type Uri } from './uri.js'

export type IncomingCollection = {
  /** Null for a page that was sent inside its collection. */
  readonly uri: Uri | null
  readonly isPage: boolean
  readonly totalItems: number | null
  /** Ids with their embedded copies; a copy proves nothing. */
  readonly items: readonly Ref[]
  /** The first page: an address, or the page itself in `node`. */
  readonly first: Ref | null
  /** On the reference origin, and not this page again. */
  readonly next: Uri | null
  /** True when the owner shows only the number. */
  readonly hidden: boolean
}

const types = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

const itemsOf = (node: Loose, most: number): readonly Ref[] => {
  const items = prop(node, 'orderedItems') ?? prop(node, 'items')
  return listOf(items, most)
    .map(refOf)
    .filter((it) => it !== null)
}

/**
 * A collection or a page. `origin` is any address on the server that the crawl must stay on: links that lead elsewhere are
 * dropped. At most `most` items are taken.
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
  const isPage = type.endsWith('Page')
  const hasItems = prop(value, 'orderedItems') !== undefined || prop(value, 'items') !== undefined
  return {
    uri,
    isPage,
    totalItems: countOf(prop(value, 'totalItems')),
    items,
    first: firstStays ? first : null,
    next: next !== null && next !== uri && sameOrigin(next, options.origin) ? next : null,
    hidden: !isPage && first === null && !hasItems,
  }
}
