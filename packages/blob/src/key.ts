/** Blob keys: each is safe as a path, as an object name and in a URL without escaping. */

import { randomBytes } from 'node:crypto'
import { BlobError } from './errors.js'

/** Prefix of uploads that are not attached to anything yet. Blobs that stay here too long are deleted. */
export const stagingPrefix = 'staging/'

const segment = '[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?'
const keyPattern = new RegExp(`^${segment}(?:/${segment})+$`)
const prefixPattern = new RegExp(`^(?:${segment}/)+(?:${segment})?$`)
const longest = 200

/**
 * Returns `key` when it is valid, else throws `bad_key`. A key has two or more segments (`area/…`) and at most 200 characters.
 * Segments consist of letters, digits, `_`, `-` and `.`. No segment begins or ends with a dot or contains two in a row.
 */
export function checkKey(key: string): string {
  return check(key, keyPattern)
}

/** Returns a prefix with at least one complete segment, such as `staging/`. Throws `bad_key` if the prefix is invalid. */
export function checkPrefix(prefix: string): string {
  return check(prefix, prefixPattern)
}

/** Returns a new key with 160 random bits, such as `media/3f/9c…7a.jpg`. Keys cannot be guessed from other keys. */
export function newKey(area: string, extension?: string): string {
  const name = randomBytes(20).toString('hex')
  return checkKey(`${area}/${name.slice(0, 2)}/${name.slice(2)}${extension ? `.${extension}` : ''}`)
}

function check(text: string, pattern: RegExp): string {
  if (typeof text === 'string' && text.length <= longest && pattern.test(text) && !text.includes('..')) return text
  throw new BlobError('bad_key', 'a blob key is made of segments of letters, digits, "_", "-" and single dots')
}
