/**
 * Converts keys to paths below the folder of a disk store, and back. A path is `<area>/<hash 2>/<hash 2>/<rest of the
 * key with + for />`.
 */

import { createHash } from 'node:crypto'
import { join } from 'node:path'

/**
 * Folder of unfinished uploads, beside the folders of areas. No key maps to a path in it, because no segment of a key
 * begins with a dot.
 */
export const incomingFolder = '.incoming'

/** Suffix of a file with the content type of a blob whose type does not follow from its key. No key contains `@`. */
const typeMark = '@type'

/** Path of a blob below the folder of the store: segments joined by `/`. Different keys have different paths. */
export function pathOf(key: string): string {
  const cut = key.indexOf('/')
  const hash = createHash('sha256').update(key).digest('hex')
  return [key.slice(0, cut), hash.slice(0, 2), hash.slice(2, 4), key.slice(cut + 1).replaceAll('/', '+')].join('/')
}

/** Key of a path; null if the file is not a blob. */
export function keyOfPath(path: string): string | null {
  const [area, one, two, name] = path.split('/')
  if (!area || !one || !two || !name || name.endsWith(typeMark)) return null
  return `${area}/${name.replaceAll('+', '/')}`
}

/** Path of a blob in the file system. */
export const fileAt = (dir: string, path: string): string => join(dir, path)

/** Path of the file that stores the content type of a blob, in the file system. */
export const typeFileAt = (dir: string, path: string): string => join(dir, path + typeMark)
