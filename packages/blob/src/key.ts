/** Blob keys: each is safe as a path, as an object name and in a URL without escaping. */

import { randomBytes } from 'node:crypto'
import { BlobError } from './errors.js'

/** Uploads wait under this prefix until they belong to something; what stays here too long is swept. */
export const stagingPrefix = 'staging/'

const segment = '[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?'
const keyPattern = new RegExp(`^${segment}(?:/${segment})+$`)
const prefixPattern = new RegExp(`^(?:${segment}/)+(?:${segment})?$`)
const longest = 200

/**
 * Passes a key of two or more segments (`area/…`), 200 characters at most, of letters, digits, `_`, `-`, `.`,
 * where no segment begins or ends with a dot or holds two in a row. Throws `bad_key`.
 */
export function checkKey(key: string): string {
  return check(key, keyPattern)
}

/** Passes a prefix that names at least a whole first segment, such as `staging/`. Throws `bad_key`. */
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
