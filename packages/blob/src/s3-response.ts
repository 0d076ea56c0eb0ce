/** Recognises responses that are not from a bucket, such as the page of a proxy before it, whatever their status is. */

import { BlobError } from './errors.js'

/** Error for a response without the values that every response of a bucket has. */
export const notFromBucket = (what: string): BlobError =>
  new BlobError('unavailable', `the response to ${what} is not from a bucket`)

/** Returns `value`, which every response of a bucket to this request contains. Throws if it is absent. */
export function expected<T>(value: T | null | undefined | '', what: string): T {
  if (value === undefined || value === null || value === '') throw notFromBucket(what)
  return value
}
