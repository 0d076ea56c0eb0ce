/** The interface of a blob store, the same for a folder and for a bucket. */

import type { Readable } from 'node:stream'

/** Content type and checks of an upload; bytes that fail a check are not stored. */
export type PutOptions = {
  contentType: string
  /** Most bytes to take; one more and nothing is kept. */
  maxBytes: number
  /** Lower-case hex; other bytes and nothing is kept. */
  sha256?: string
}

/** Bytes stored, and their SHA-256 in lower-case hex. */
export type PutResult = { size: number; sha256: string }

/** Both ends inclusive; without `end` up to the last byte. */
export type ByteRange = { start: number; end?: number }

/** Metadata of a blob. `etag` includes its quotes, as in the HTTP header. */
export type BlobHead = { size: number; contentType: string; etag: string; lastModified: Date }

/** A blob being read. `size` is that of the whole blob, also when `body` is a part. Read `body` or destroy it. */
export type Blob = BlobHead & { body: Readable }

/** Up to 1,000 blobs in a stable order; `cursor` leads to the next page and is absent on the last. */
export type BlobPage = { blobs: { key: string; size: number; lastModified: Date }[]; cursor?: string }

/** How many were deleted; `complete` is false when the sweep stopped at its bound of 100,000 blobs looked at. */
export type SweepResult = { deleted: number; complete: boolean }

/** All methods reject with `BlobError` only. Keys are checked by `checkKey`. */
export type BlobStore = {
  /**
   * Stores a blob under `key`, replacing what was there. All or nothing: the blob appears whole, flushed to disk and
   * verified, or (source cut, too large, wrong hash, store full) nothing appears and nothing is left behind.
   */
  put(key: string, source: Readable | Buffer, options: PutOptions): Promise<PutResult>
  /** Null when there is no such blob. `bad_range` when the range starts behind the end. */
  get(key: string, options?: { range?: ByteRange }): Promise<Blob | null>
  head(key: string): Promise<BlobHead | null>
  /**
   * Gives a blob another key, usually from staging to its final place. Safe to repeat: when `from` is gone and `to`
   * is there, it was done before. `not_found` when neither is there.
   */
  move(from: string, to: string): Promise<void>
  /**
   * Gives a blob a second key, replacing what was there; each key is deleted by itself. On disk the bytes are kept once
   * where the file system can. Bytes of the blob, or null when there is none.
   */
  copy(from: string, to: string): Promise<number | null>
  /** Deletes up to 10,000 blobs; absent ones count as deleted. */
  delete(keys: readonly string[]): Promise<void>
  /** A page of the blobs whose keys begin with `prefix`, which names at least a whole first segment. */
  list(prefix: string, cursor?: string): Promise<BlobPage>
  /** Deletes the blobs below `prefix` that were last written before `olderThan`, and leftovers of dead uploads. */
  sweep(prefix: string, olderThan: Date): Promise<SweepResult>
  /** Where people can fetch the blob without us, or null when it is served by us. */
  publicUrl(key: string): string | null
  close(): Promise<void>
}

/** Longest list of keys that `delete` takes. */
export const mostDeletes = 10_000
