/** Writes collections: with pages, with all items, or with the count only. */

import { plainContext } from './context.js'

/** Writes the root document of an ordered collection with pages. */
export const writeCollection = (it: { uri: string; totalItems?: number; first: string; last?: string }) => ({
  '@context': plainContext,
  id: it.uri,
  type: 'OrderedCollection',
  ...(it.totalItems === undefined ? {} : { totalItems: it.totalItems }),
  first: it.first,
  ...(it.last ? { last: it.last } : {}),
})

/** Writes a collection with the count only, for lists that their owner hides, and for likes and shares. */
export const writeHiddenCollection = (it: { uri: string; totalItems: number; ordered?: boolean }) => ({
  '@context': plainContext,
  id: it.uri,
  type: it.ordered === false ? 'Collection' : 'OrderedCollection',
  totalItems: it.totalItems,
})

/**
 * Writes a page of a collection. Items are addresses, or objects without `@context`; `context` must define the terms of
 * the objects.
 */
export const writePage = (it: {
  uri: string
  partOf: string
  items: readonly unknown[]
  next?: string | null
  prev?: string | null
  totalItems?: number
  ordered?: boolean
  context?: readonly unknown[]
}) => ({
  '@context': it.context ?? plainContext,
  id: it.uri,
  type: it.ordered === false ? 'CollectionPage' : 'OrderedCollectionPage',
  ...(it.totalItems === undefined ? {} : { totalItems: it.totalItems }),
  partOf: it.partOf,
  ...(it.next ? { next: it.next } : {}),
  ...(it.prev ? { prev: it.prev } : {}),
  [it.ordered === false ? 'items' : 'orderedItems']: [...it.items],
})

/** Writes a short collection with all its items, such as pins, featured hashtags, or followers on one server. */
export const writeWholeCollection = (it: {
  uri: string
  items: readonly unknown[]
  ordered?: boolean
  context?: readonly unknown[]
}) => ({
  '@context': it.context ?? plainContext,
  id: it.uri,
  type: it.ordered === false ? 'Collection' : 'OrderedCollection',
  totalItems: it.items.length,
  [it.ordered === false ? 'items' : 'orderedItems']: [...it.items],
})
