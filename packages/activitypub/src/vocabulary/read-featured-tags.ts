/** Parses featured hashtags: a collection of hashtags, or a single hashtag. */

import { firstOf, isJsonObject, type JsonObject, listOf, prop, typeIn } from './json.js'
import { readTags } from './read-tag.js'

const collections = new Set(['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage'] as const)

/**
 * Names of the hashtags in a collection or its embedded first page, as written, at most `max`; null for other objects.
 */
export const hashtagsIn = (document: JsonObject, max: number): string[] | null => {
  if (typeIn(document, collections) === null) return null
  // Entries that are no hashtags are skipped, so more entries are parsed than hashtags are returned.
  const itemsOf = (node: JsonObject) => listOf(prop(node, 'items') ?? prop(node, 'orderedItems'), max * 4)
  const own = itemsOf(document)
  const first = firstOf(prop(document, 'first'))
  const items = own.length === 0 && isJsonObject(first) ? itemsOf(first) : own
  return readTags(items).hashtags.slice(0, max) as string[]
}

/** Name of a Hashtag node; null for other nodes. */
export const hashtagOf = (node: JsonObject | null): string | null =>
  node === null ? null : (readTags([node]).hashtags[0] ?? null)
