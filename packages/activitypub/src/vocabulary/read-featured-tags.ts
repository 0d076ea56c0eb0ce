/** Parses featured hashtags: a collection of hashtags, or a single hashtag. */

import { isJsonObject, type JsonObject, listOf, prop, typeIn } from './json.js'
import { readTags } from './read-tag.js'

const collections = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

/**
 * Names of the hashtags in a collection or its embedded first page, as written, at most `max`; null for other objects.
 */
export const hashtagsIn = (document: JsonObject, max: number): string[] | null => {
  if (typeIn(document, collections) === null) return null
  const first = prop(document, 'first')
  const holder = isJsonObject(first) ? first : document
  const items = prop(holder, 'items') ?? prop(holder, 'orderedItems') ?? []
  // Entries that are no hashtags are skipped, so more entries are parsed than hashtags are returned.
  return readTags(listOf(items, max * 4)).hashtags.slice(0, max) as string[]
}

/** Name of a Hashtag node; null for other nodes. */
export const hashtagOf = (node: JsonObject | null): string | null =>
  node === null ? null : (readTags([node]).hashtags[0] ?? null)
