/** Sends files of the blob store, with support for Range and If-None-Match. */
import { pipeline } from 'node:stream'
import { BlobError, type BlobHead, parseRange } from '@murmuration/blob'
import { fail } from '@murmuration/contracts/kit'
import type { Request, Response } from 'express'
import type { Context } from '../../context.js'

/** Maps retryable errors of the blob store to 503; returns other errors unchanged. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof BlobError && error.retryable
    ? fail('unavailable', 'The file cannot currently be read.', { cause: error, retryAfter: 5 })
    : error

/** Sends a file of the blob store. Returns false if the file does not exist. `describe` sets further headers, such as Content-Type. */
export const sendBlob = async (
  { blobs }: Pick<Context, 'blobs'>,
  req: Request,
  res: Response,
  key: string,
  describe: (head: BlobHead) => void,
): Promise<boolean> => {
  const refused = (error: unknown) => Promise.reject(asRefusal(error))
  const head = await blobs.head(key).catch(refused)
  if (head === null) return false
  const isUnchanged = req.headers['if-none-match'] === head.etag
  const range = parseRange(req.headers.range, head.size)
  const part = range.kind === 'part' ? range : null
  const isSent = req.method !== 'HEAD' && !isUnchanged && range.kind !== 'unsatisfiable'
  // The file is opened before headers are set, because an error response must not have the headers of the file.
  const blob = isSent
    ? await blobs.get(key, part ? { range: { start: part.start, end: part.end } } : {}).catch(refused)
    : null
  if (isSent && blob === null) return false
  describe(head)
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('ETag', head.etag)
  res.setHeader('Last-Modified', head.lastModified.toUTCString())
  if (isUnchanged) {
    res.writeHead(304).end()
    return true
  }
  if (range.kind === 'unsatisfiable') {
    res.writeHead(416, { 'Content-Range': `bytes */${head.size}` }).end()
    return true
  }
  res.statusCode = part ? 206 : 200
  res.setHeader('Content-Length', part ? part.end - part.start + 1 : head.size)
  if (part) res.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${head.size}`)
  if (blob === null) res.end()
  // If reading the file fails, the connection is cut, so that the client notices that bytes are missing.
  else pipeline(blob.body, res, () => undefined)
  return true
}
