/** Blob store of media: reads uploads from staging, and stores results under keys that cannot be guessed. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { BlobError, type BlobPage, type BlobStore, deleteMost, newKey, type SweepResult } from '@murmuration/blob'
import { fail } from '@murmuration/contracts/kit'
import { isFull } from './full-disk.rules.js'
import { HEAD_BYTES } from './type.rules.js'
import { noSpace } from './work-directory.js'

/** A file in a work directory, with the key under which it is to be stored. */
export interface FileToStore {
  readonly key: string
  readonly path: string
  readonly mediaType: string
}

/** A file in the blob store of which a copy is to be stored under a second key. */
export interface FileToCopy {
  readonly key: string
  readonly twin: string
}

export interface Files {
  /** Size and first bytes of a blob; null if it does not exist. */
  head(key: string): Promise<{ size: number; head: Buffer } | null>
  /** Copies a blob to a file. Returns false if the blob does not exist. */
  copyTo(key: string, path: string): Promise<boolean>
  /**
   * Stores files, and resolves when all of them are complete. Returns the sum of their sizes in bytes. Rejects with
   * `unavailable` if the source of a copy is missing.
   */
  store(files: readonly (FileToStore | FileToCopy)[]): Promise<number>
  has(key: string): Promise<boolean>
  delete(keys: readonly string[]): Promise<void>
  /** Deletes files. Returns the keys of those that cannot be deleted. Rejects if the blob store deletes nothing. */
  deleteMost(keys: readonly string[]): Promise<readonly string[]>
  /** A page of the files of an area. */
  list(area: string, cursor?: string): Promise<BlobPage>
  /** Prefixes of the URLs of all stored files. */
  bases(): string[]
  /**
   * Deletes uploads in staging that are older than this time. Returns the numbers of deleted and of undeletable uploads.
   * Rejects if the blob store deletes nothing.
   */
  sweepStaging(olderThan: Date): Promise<Pick<SweepResult, 'deleted' | 'undeleted'>>
  /** Public URL of a stored file. */
  address(key: string): string
  close(): Promise<void>
}

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
}

/** A new key in `area`, with the file extension of the media type. */
export const freshKey = (area: 'media' | 'avatars' | 'headers' | 'emoji', mediaType: string): string =>
  newKey(area, EXTENSIONS[mediaType])

/** Key of a copy of a remote file. The key depends only on the token, so its address is known before the copy exists. */
export const copyKey = (token: string): string => `cache/${token}`

const trouble = 'There was a temporary problem serving your request, please try again'
/** Converts errors of the blob store to API errors. */
const translate = (error: unknown): never => {
  if (!(error instanceof BlobError)) throw error
  if (error.code === 'no_space') throw noSpace(error)
  throw error.retryable ? fail('unavailable', trouble, { cause: error, retryAfter: 5 }) : error
}

/**
 * Converts errors that occur while a blob is read to API errors, because the connection to the blob store failed. The
 * error of a full local disk is not converted.
 */
const broken = (error: unknown): never => {
  throw isFull(error) ? error : fail('unavailable', trouble, { cause: error, retryAfter: 5 })
}

const bytesOf = async (body: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(body).catch(broken))

export const createFiles = (blobs: BlobStore, origin: string): Files => {
  const keepTwin = async ({ key, twin }: FileToCopy): Promise<number> => {
    const size = await blobs.copy(twin, key)
    if (size === null) throw fail('unavailable', trouble, { retryAfter: 5 })
    return size
  }
  const keepOne = async ({ key, path, mediaType }: FileToStore): Promise<number> => {
    const { size } = await stat(path)
    const stored = await blobs.put(key, createReadStream(path), { contentType: mediaType, maxBytes: size })
    if (stored.size !== size) throw fail('unavailable', trouble, { retryAfter: 5 })
    return size
  }
  return {
    async head(key) {
      const known = await blobs.head(key).catch(translate)
      if (known === null) return null
      if (known.size === 0) return { size: 0, head: Buffer.alloc(0) }
      const blob = await blobs.get(key, { range: { start: 0, end: HEAD_BYTES - 1 } }).catch(translate)
      return blob && { size: known.size, head: await bytesOf(blob.body) }
    },
    async copyTo(key, path) {
      const blob = await blobs.get(key).catch(translate)
      if (blob === null) return false
      await pipeline(blob.body, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(broken)
      return true
    },
    async store(files) {
      const sizes = await Promise.all(files.map((file) => ('twin' in file ? keepTwin(file) : keepOne(file)))).catch(
        translate,
      )
      return (sizes as number[]).reduce((sum, size) => sum + size, 0)
    },
    has: async (key) => (await blobs.head(key).catch(translate)) !== null,
    delete: (keys) => (keys.length ? blobs.delete(keys).catch(translate) : Promise.resolve()),
    deleteMost: async (keys) => (keys.length ? deleteMost(blobs, keys).catch(translate) : []),
    list: (area, cursor) => blobs.list(area, cursor).catch(translate),
    bases: () => {
      const own = `${origin}/system/`
      const elsewhere = blobs.publicUrl('media/0')?.slice(0, -'media/0'.length)
      return elsewhere === undefined ? [own] : [elsewhere, own]
    },
    sweepStaging: (olderThan) => blobs.sweep('staging/', olderThan).catch(translate),
    address: (key) => blobs.publicUrl(key) ?? `${origin}/system/${key}`,
    close: () => blobs.close(),
  }
}
