/** Writes collections: roots, pages, those with everything inside, and those of which only the number is shown. */

import { plainContext } from './context.js'

/** A root that leads to pages. `ordered` is false only for replies, likes, shares and hashtags. */
export const writeCollection = (it: {
  uri: string
  totalItems?: number
  first: string
  last?: string
  ordered?: boolean
}) => ({
  '@context': plainContext,
  id: it.uri,
  type: it.ordered === false ? 'Collection' : 'OrderedCollection',
  ...(it.totalItems === undefined ? {} : { totalItems: it.totalItems }),
  first: it.first,
  ...(it.last ? { last: it.last } : {}),
})

/** Only the number: for lists that their owner hides, and for likes and shares. */
export const writeHiddenCollection = (it: { uri: string; totalItems: number; ordered?: boolean }) => ({
  '@context': plainContext,
  id: it.uri,
  type: it.ordered === false ? 'Collection' : 'OrderedCollection',
  totalItems: it.totalItems,
})

/** One page. Items are addresses, or documents without a context; give the context that they need. */
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

/** A short collection with everything inside: pins, featured hashtags, followers on one server. */
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
