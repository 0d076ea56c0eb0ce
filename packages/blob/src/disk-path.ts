/** Maps keys to places on disk and back. A place is `<area>/<hash 2>/<hash 2>/<rest of the key with + for />`. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Folder of uploads that are being written, beside the areas. No key maps into it, because no segment begins with a dot. */
export const incomingFolder = '.incoming'

/** Suffix of the file that stores a content type which does not follow from the key. No key contains `@`. */
const typeMark = '@type'

/** Place of a blob below the store's folder: path segments joined by `/`. Two keys never have the same place. */
export function pathOf(key: string): string {
  const cut = key.indexOf('/')
  const hash = createHash('sha256').update(key).digest('hex')
  return [key.slice(0, cut), hash.slice(0, 2), hash.slice(2, 4), key.slice(cut + 1).replaceAll('/', '+')].join('/')
}

/** Key of a place; null when the file is not a blob. */
export function keyOfPath(path: string): string | null {
  const [area, one, two, name] = path.split('/')
  if (!area || !one || !two || !name || name.endsWith(typeMark)) return null
  return `${area}/${name.replaceAll('+', '/')}`
}

/** Path of the file at a place. */
export const fileAt = (dir: string, path: string): string => join(dir, path)

/** Path of the file with the content type of the blob at a place. */
export const typeFileAt = (dir: string, path: string): string => join(dir, path + typeMark)
