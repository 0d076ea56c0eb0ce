/** Interface of a blob store, the same for a folder and for a bucket. */

import type { Readable } from 'node:stream'

/** Content type and checks of an upload. Bytes that fail a check are not stored. */
export type PutOptions = {
  contentType: string
  /** Maximum number of bytes. A larger source is rejected with `too_large`. */
  maxBytes: number
  /** Expected SHA-256 in lower-case hex. Content with another hash is rejected with `hash_mismatch`. */
  sha256?: string
}

/** Number of bytes stored, and their SHA-256 in lower-case hex. */
export type PutResult = { size: number; sha256: string }

/** Byte positions, both inclusive. Without `end` the range reaches to the last byte. */
export type ByteRange = { start: number; end?: number }

/** Metadata of a blob. `etag` includes its quotes, as in the HTTP header. */
export type BlobHead = { size: number; contentType: string; etag: string; lastModified: Date }

/** An open blob. `size` is that of the whole blob, also when `body` is a part. The caller must read `body` to its end or destroy it. */
export type Blob = BlobHead & { body: Readable }

/** Up to 1,000 blobs in a stable order. `cursor` selects the next page; absent on the last page. */
export type BlobPage = { blobs: { key: string; size: number; lastModified: Date }[]; cursor?: string }

/**
 * Numbers of deleted blobs, and of old blobs that could not be deleted. `complete` is false when the sweep stopped after
 * 100 pages of up to 1,000 blobs.
 */
export type SweepResult = { deleted: number; undeleted: number; complete: boolean }

/** All methods reject with `BlobError` only. Keys are checked by `checkKey`. */
export type BlobStore = {
  /**
   * Stores a blob under `key`, replacing an existing one. Atomic: the blob appears complete, verified and flushed to
   * disk, or not at all. A source that ends early, is too large or has the wrong hash leaves nothing behind. If the
   * store is full, nothing is left behind either. If a bucket stops responding, the blob may appear although `put` rejects.
   */
  put(key: string, source: Readable | Buffer, options: PutOptions): Promise<PutResult>
  /** Opens a blob; null when it does not exist. Rejects with `bad_range` when the range starts after the last byte. */
  get(key: string, options?: { range?: ByteRange }): Promise<Blob | null>
  head(key: string): Promise<BlobHead | null>
  /**
   * Moves a blob to another key, usually from staging to its final key. A move is safe to repeat: it succeeds when
   * `from` is absent and `to` exists. Rejects with `not_found` when both are absent.
   */
  move(from: string, to: string): Promise<void>
  /**
   * Copies a blob to another key, replacing an existing blob. Both blobs must be deleted separately. On disk both blobs
   * share the bytes where the file system has hard links. Returns the size in bytes, or null when `from` does not
   * exist.
   */
  copy(from: string, to: string): Promise<number | null>
  /**
   * Deletes up to 10,000 blobs. Missing blobs are no error. If only some blobs cannot be deleted, the others are deleted,
   * and the error names those in `undeleted`.
   */
  delete(keys: readonly string[]): Promise<void>
  /** One page of the blobs whose keys begin with `prefix`, which contains at least one complete segment. */
  list(prefix: string, cursor?: string): Promise<BlobPage>
  /**
   * Deletes the blobs below `prefix` that were last written before `olderThan`, and unfinished uploads of processes that
   * ended. Rejects if the store deletes nothing.
   */
  sweep(prefix: string, olderThan: Date): Promise<SweepResult>
  /** URL at which clients can fetch the blob directly; null when this server sends it. */
  publicUrl(key: string): string | null
  close(): Promise<void>
}

/** Maximum number of keys of one `delete`. */
export const maxDeletes = 10_000
