/** Where a key lives on disk, and back: `<area>/<hash 2>/<hash 2>/<rest of the key with + for />`. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Below the folder, beside the areas: uploads that are still being written. No key can reach it. */
export const incomingFolder = '.incoming'

/** Ends the name of the small file that holds a content type the key does not tell. No key can end so. */
const typeMark = '@type'

/** A blob's place below the folder, as path segments joined by `/`. Two keys never share one. */
export function placeOf(key: string): string {
  const cut = key.indexOf('/')
  const hash = createHash('sha256').update(key).digest('hex')
  return [key.slice(0, cut), hash.slice(0, 2), hash.slice(2, 4), key.slice(cut + 1).replaceAll('/', '+')].join('/')
}

/** The key of a place, or null when the file there is no blob. */
export function keyOfPlace(place: string): string | null {
  const [area, one, two, name] = place.split('/')
  if (!area || !one || !two || !name || name.endsWith(typeMark)) return null
  return `${area}/${name.replaceAll('+', '/')}`
}

/** The file of a place. */
export const fileAt = (dir: string, place: string): string => join(dir, place)

/** The file that holds the content type of the blob at a place. */
export const typeFileAt = (dir: string, place: string): string => join(dir, place + typeMark)
