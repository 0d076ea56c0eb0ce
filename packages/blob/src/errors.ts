/** Errors of blob stores: one class with a closed list of codes. */

import { isPage } from './content-type.js'

/**
 * Reason why a blob operation failed.
 * - `bad_key` the key is not of the allowed form
 * - `bad_range` the range starts after the last byte
 * - `too_large` the source has more bytes than allowed
 * - `hash_mismatch` the bytes do not have the expected hash
 * - `interrupted` the source ended early; `cause` is its error
 * - `not_found` the blob to move does not exist
 * - `no_space` the store is full
 * - `unavailable` the store does not respond, or responds with an unexpected error
 */
export type BlobErrorCode =
  | 'bad_key'
  | 'bad_range'
  | 'too_large'
  | 'hash_mismatch'
  | 'interrupted'
  | 'not_found'
  | 'no_space'
  | 'unavailable'

const retryableCodes: ReadonlySet<BlobErrorCode> = new Set(['interrupted', 'no_space', 'unavailable'])

/**
 * The only error that a `BlobStore` rejects with. `retryable`: the same call may succeed later. `undeleted`: the keys
 * that `delete` refused to delete, if it deleted all others; else null.
 */
export class BlobError extends Error {
  readonly code: BlobErrorCode
  readonly retryable: boolean
  readonly undeleted: readonly string[] | null

  constructor(
    code: BlobErrorCode,
    message: string,
    options: { cause?: unknown; undeleted?: readonly string[] | null } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'BlobError'
    this.code = code
    this.retryable = retryableCodes.has(code)
    this.undeleted = options.undeleted ?? null
  }
}

const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Converts an error of the file system to a BlobError. A BlobError is returned unchanged. */
export function fromFileSystem(cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause
  const code = String((cause as NodeJS.ErrnoException | null)?.code ?? '')
  if (fullDisk.has(code)) return new BlobError('no_space', 'the blob folder is full', { cause })
  return new BlobError('unavailable', 'the blob folder cannot be used', { cause })
}

const fullBucket: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'StorageFull',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
])

/** Converts an error of the S3 client to a BlobError. A BlobError is returned unchanged. */
export function fromS3(cause: unknown): BlobError {
  if (cause instanceof BlobError) return cause
  const { name, status } = describeS3(cause)
  if (status === 507 || fullBucket.has(name)) return new BlobError('no_space', 'the bucket is full', { cause })
  if (status === 416) return new BlobError('bad_range', 'the range starts behind the end', { cause })
  return new BlobError('unavailable', 'the bucket cannot be used', { cause })
}

/**
 * True when S3 responds that the object does not exist. False for a missing bucket, which is a wrong setting, and for
 * an error page of a proxy.
 */
export function isAbsentInS3(error: unknown): boolean {
  const { name, status } = describeS3(error)
  const { headers } = (error as { $response?: { headers?: Record<string, string> } } | null)?.$response ?? {}
  if (isPage(headers?.['content-type'])) return false
  return name !== 'NoSuchBucket' && (name === 'NoSuchKey' || name === 'NotFound' || status === 404)
}

function describeS3(error: unknown): { name: string; status: number | undefined } {
  const { name = '', $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } }
  return { name, status: $metadata?.httpStatusCode }
}
