/** Uploads bytes of unknown length to a bucket: one request when they fit into one part, else a multipart upload. */

import { createHash } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { expected } from './s3-response.js'

/** Bucket and key of an object to upload, and the client. */
export type Upload = { client: S3Client; Bucket: string; Key: string; ContentType: string }

/**
 * Bytes of one part, which is the memory that an upload needs. S3 requires at least 5 MiB for each part except the
 * last, and permits 10,000 parts.
 */
const partBytes = 8 * 1024 * 1024

/**
 * Uploads `chunks` and returns the result of `approve`, with the ETag of the object if the bucket sends one.
 *
 * `approve` is called after the last byte was read; if it throws, no object is created. After a failure, parts already sent are discarded.
 */
export async function uploadParts<R>(
  upload: Upload,
  chunks: AsyncIterable<Buffer>,
  approve: () => R,
): Promise<{ result: R; etag: string | undefined }> {
  const { client, ContentType, ...target } = upload
  const sent: { PartNumber: number; ETag: string }[] = []
  let UploadId: string | undefined
  try {
    for await (const { part: Body, last } of inParts(chunks)) {
      if (last && sent.length === 0) {
        const result = approve()
        const put = new PutObjectCommand({ ...target, ContentType, Body, ContentMD5: md5(Body) })
        return { result, etag: (await client.send(put)).ETag }
      }
      // Without an id, a part would be stored as the whole object.
      UploadId ??= expected(
        (await client.send(new CreateMultipartUploadCommand({ ...target, ContentType }))).UploadId,
        'CreateMultipartUpload',
      )
      const PartNumber = sent.length + 1
      const part = new UploadPartCommand({ ...target, UploadId, PartNumber, Body, ContentMD5: md5(Body) })
      sent.push({ PartNumber, ETag: expected((await client.send(part)).ETag, 'UploadPart') })
    }
    const result = approve()
    const complete = { ...target, UploadId, MultipartUpload: { Parts: sent } }
    const { ETag } = await client.send(new CompleteMultipartUploadCommand(complete))
    return { result, etag: expected(ETag, 'CompleteMultipartUpload') }
  } catch (error) {
    // An error of the abort is ignored, because it would hide the error that failed the upload. Remaining parts are
    // removed by the bucket's rule for incomplete uploads.
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
    throw error
  }
}

/** Splits the bytes into parts of equal size. The last part may be shorter; it is empty only when it is the only one. */
async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ part: Buffer; last: boolean }> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size <= partBytes) continue
    const joined = Buffer.concat(held)
    const whole = joined.length - (joined.length % partBytes || partBytes)
    for (let at = 0; at < whole; at += partBytes) yield { part: joined.subarray(at, at + partBytes), last: false }
    held = [joined.subarray(whole)]
    size = held[0]!.length
  }
  yield { part: Buffer.concat(held), last: true }
}

const md5 = (body: Buffer) => createHash('md5').update(body).digest('base64')
