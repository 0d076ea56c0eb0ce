/** Reads featured hashtags: a collection of them, or one that was added or removed. */

import { isLoose, type Loose, listOf, prop, typeIn } from './loose.js'
import { readTags } from './read-tag.js'

const collections = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

/** Names as written, at most `most`, of a collection or its first page; null if it is no collection. */
export const hashtagsIn = (document: Loose, most: number): string[] | null => {
  if (typeIn(document, collections) === null) return null
  const first = prop(document, 'first')
  const holder = isLoose(first) ? first : document
  const items = prop(holder, 'items') ?? prop(holder, 'orderedItems') ?? []
  // What is no hashtag is skipped, so more are looked at than are taken.
  return readTags(listOf(items, most * 4)).hashtags.slice(0, most) as string[]
}

/** The one hashtag that a node is; null for anything else. */
export const hashtagOf = (node: Loose | null): string | null =>
  node === null ? null : (readTags([node]).hashtags[0] ?? null)
