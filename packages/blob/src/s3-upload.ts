/** Sends bytes of unknown length to a bucket: in one piece when they fit, else in parts that appear together. */

import { createHash } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'

/** Where to. */
export type Upload = { client: S3Client; Bucket: string; Key: string; ContentType: string }

/** Memory of one upload; S3 wants at least 5 MiB for every part but the last, and takes 10,000 parts. */
const partBytes = 8 * 1024 * 1024

/**
 * Uploads `chunks`; `approve` is called when all were read and may throw to keep the object from appearing.
 * On any failure nothing appears, and parts already sent are discarded.
 */
export async function uploadParts<R>(upload: Upload, chunks: AsyncIterable<Buffer>, approve: () => R): Promise<R> {
  const { client, ContentType, ...place } = upload
  const sent: { PartNumber: number; ETag: string | undefined }[] = []
  let UploadId: string | undefined
  try {
    for await (const { part: Body, last } of inParts(chunks)) {
      if (last && sent.length === 0) {
        const result = approve()
        await client.send(new PutObjectCommand({ ...place, ContentType, Body, ContentMD5: md5(Body) }))
        return result
      }
      UploadId ??= (await client.send(new CreateMultipartUploadCommand({ ...place, ContentType }))).UploadId
      const PartNumber = sent.length + 1
      const part = new UploadPartCommand({ ...place, UploadId, PartNumber, Body, ContentMD5: md5(Body) })
      sent.push({ PartNumber, ETag: (await client.send(part)).ETag })
    }
    const result = approve()
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: sent } }))
    return result
  } catch (error) {
    // Its own failure would hide why; what stays then is removed by the bucket's rule for unfinished uploads.
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {})
    throw error
  }
}

/** The bytes in parts of equal size; the last may be shorter, and even empty when it is the only one. */
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
