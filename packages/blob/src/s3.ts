/** Stores blobs as objects in a bucket of an S3-compatible server. */

import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { chunk, mapLimited } from '@murmuration/flow'
import { isPage, unknownType } from './content-type.js'
import { BlobError, fromS3, isAbsentInS3 } from './errors.js'
import { checkKey, checkPrefix } from './key.js'
import { meter } from './meter.js'
import { checkRange } from './range.js'
import { expected, notFromBucket } from './s3-response.js'
import { type Upload, uploadParts } from './s3-upload.js'
import { type BlobHead, type ByteRange, maxDeletes } from './store.js'
import { sweepPages } from './sweep.js'
import { type Operations, translated } from './translate.js'

/** An existing bucket of an S3-compatible server. */
export type S3Options = {
  kind: 's3'
  /** Base URL, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** True for URLs `endpoint/bucket/key`, false for `bucket.endpoint/key`. */
  forcePathStyle: boolean
  /** Base URL at which browsers can fetch objects directly, such as a CDN before the bucket. */
  publicUrl?: string
  /** Time limit of a request to the bucket, and of a pause within a body, in milliseconds; default 30,000. */
  timeoutMs?: number
}

const maxPerDelete = 1_000
/** Maximum number of concurrent requests that check whether objects still exist. */
const maxChecks = 8

type Described = { ContentLength?: number; ContentType?: string; ETag?: string; LastModified?: Date }

/** Opens the store in one bucket. Requests are tried three times; each try is limited by `timeoutMs`. */
export function openS3Store(options: S3Options): Operations {
  const Bucket = options.bucket
  const timeoutMs = options.timeoutMs ?? 30_000
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: Math.min(5_000, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
    // Checksums are sent only when required, because not every S3-compatible server knows the newer checksum headers.
    // This package itself checks sizes and hashes of files.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

  const find = async (key: string): Promise<Described | null> => {
    const found = await client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) })).catch(absent)
    return found && described(found, 'HeadObject')
  }

  /** Copies an object to another key. Returns false if `from` does not exist. */
  const duplicate = async (from: string, to: string): Promise<boolean> => {
    const source = { Bucket, Key: checkKey(to), CopySource: `${Bucket}/${checkKey(from)}` }
    const copied = await client.send(new CopyObjectCommand(source)).catch(absent)
    if (copied) expected(copied.CopyObjectResult?.ETag, 'CopyObject')
    return copied !== null
  }

  /**
   * Checks that the stored object has the size of the upload. Throws if it has another size, or if the bucket does not
   * respond.
   *
   * An object of another size is deleted if it has the ETag of this upload. Any other object may be a complete blob of
   * another upload under the same key.
   */
  const checkStored = async (
    key: string,
    { size, etag }: { size: number; etag: string | undefined },
  ): Promise<void> => {
    const stored = await find(key)
    if (stored?.ContentLength === size) return
    if (stored && stored.ETag === etag) await store.delete([key])
    throw new BlobError('unavailable', 'the bucket stored other bytes than it received')
  }

  /**
   * Throws if one of the objects exists, or if the bucket does not respond. After the first failure, no further request
   * is sent.
   */
  const checkAbsent = async (keys: readonly string[]): Promise<void> => {
    let hasFailed = false
    const fail = (error: unknown): never => {
      hasFailed = true
      throw error
    }
    await mapLimited(keys, maxChecks, async (key) => {
      if (hasFailed) return
      const found = await find(key).catch(fail)
      if (found !== null) fail(new BlobError('unavailable', 'the bucket did not delete an object'))
    })
  }

  /** Deletes a part of the objects of a `delete`. Returns the keys that the bucket refused to delete. */
  const deleteSome = async (keys: readonly string[]): Promise<string[]> => {
    // In quiet mode, the response would list no deleted objects. It could then not be distinguished from the page of a
    // proxy.
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: false }
    const { Deleted = [], Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }))
    const refused = new Set(Errors.map(({ Key }) => Key))
    const undeleted = keys.filter((key) => refused.has(key))
    // An error without the key of an object is about the request.
    if (undeleted.length < Errors.length)
      throw new BlobError('unavailable', `the bucket did not delete ${Errors.length} objects`)
    // Objects that the response does not list are looked up. Some servers do not list absent objects, and the page of a
    // proxy lists nothing.
    const listed = new Set(Deleted.map(({ Key }) => Key))
    await checkAbsent(keys.filter((key) => !listed.has(key) && !refused.has(key)))
    return undeleted
  }

  const store: Operations = {
    async put(key, source, given) {
      const { contentType } = given
      // No object gets the content type of a web page. So a response with that type is recognised as a page of a proxy.
      const ContentType = contentType && !isPage(contentType) ? contentType : unknownType
      const upload: Upload = { client, Bucket, Key: checkKey(key), ContentType }
      const metered = meter(source, given)
      const { result, etag } = await uploadParts(upload, metered.chunks, () => metered.result())
      await checkStored(key, { size: result.size, etag })
      return result
    },

    async get(key, { range } = {}) {
      if (range) checkRange(range)
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`
      const found = await client.send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range })).catch(absent)
      if (!found?.Body) return null
      const body = found.Body as Readable
      try {
        described(found, 'GetObject')
      } catch (error) {
        body.destroy()
        throw error
      }
      if (!range) return { ...headOf(found), body }
      const size = sizeBehind(found.ContentRange, range)
      if (size !== null) return { ...headOf(found), size, body }
      body.destroy()
      throw new BlobError('unavailable', 'the bucket sent another range than requested')
    },

    async head(key) {
      const found = await find(key)
      return found && headOf(found)
    },

    async copy(from, to) {
      if (!(await duplicate(from, to))) return null
      return expected((await find(to))?.ContentLength, 'CopyObject')
    },

    async move(from, to) {
      if (await duplicate(from, to)) await store.delete([from])
      else if (!(await find(to))) throw new BlobError('not_found', 'there is no blob to move')
    },

    async delete(keys) {
      if (keys.length > maxDeletes) throw new BlobError('bad_key', `at most ${maxDeletes} keys at once`)
      for (const key of keys) checkKey(key)
      const undeleted = (await Promise.all(chunk(keys, maxPerDelete).map(deleteSome))).flat()
      if (undeleted.length > 0)
        throw new BlobError('unavailable', `the bucket did not delete ${undeleted.length} objects`, { undeleted })
    },

    async list(prefix, cursor) {
      // ListObjects version 1: its cursor is the last key, and every server supports it.
      const request = { Bucket, Prefix: checkPrefix(prefix), Marker: cursor, MaxKeys: 1_000 }
      const { Contents = [], IsTruncated, Name } = await client.send(new ListObjectsCommand(request))
      expected(IsTruncated ?? Name, 'ListObjects')
      const blobs = Contents.map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
        key: Key,
        size: Size,
        lastModified: LastModified,
      }))
      return { blobs, ...(IsTruncated && blobs.length > 0 ? { cursor: blobs.at(-1)!.key } : {}) }
    },

    sweep: (prefix, olderThan) => sweepPages(store, prefix, olderThan),
    close: async () => client.destroy(),
  }
  return translated(store, fromS3)
}

/**
 * The metadata of an object. Throws if the response is not from a bucket. Each response of a bucket has an ETag, and no
 * object is a web page.
 */
function described<T extends Described>(found: T, what: string): T {
  expected(found.ETag, what)
  if (isPage(found.ContentType)) throw notFromBucket(what)
  return found
}

function headOf(found: Described): BlobHead {
  return {
    size: found.ContentLength ?? 0,
    contentType: found.ContentType ?? unknownType,
    etag: found.ETag ?? '',
    lastModified: found.LastModified ?? new Date(0),
  }
}

function absent(error: unknown): null {
  if (isAbsentInS3(error)) return null
  throw error
}

/** Size of the whole object from the header `content-range`; null if the response contains another range than the requested one. */
function sizeBehind(contentRange: string | undefined, { start, end }: ByteRange): number | null {
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? []
  const last = Math.min(end ?? Number.POSITIVE_INFINITY, Number(size) - 1)
  return Number(from) === start && Number(to) === last ? Number(size) : null
}
