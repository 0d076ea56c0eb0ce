/** Request bodies: JSON, urlencoded and multipart become one bracketed input; files stream to staging, never through memory. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { BlobStore } from '@murmuration/blob'
import { type AnyOperation, fail, invalidField } from '@murmuration/contracts/kit'
import busboy from 'busboy'
import qs from 'qs'

/** Most bytes of a body that is not an upload. */
export const MAX_BODY = 1_048_576
/** Most bytes of one file: video and audio have the largest limit (limits.md 2); media checks the kind's own. */
export const MAX_FILE = 103_809_024

export interface StagedFile {
  key: string
  size: number
  type: string
  name: string
}
/** Where uploads wait for media: stores all or nothing. */
export type Staging = Pick<BlobStore, 'put' | 'delete'>

const QS: qs.IParseOptions = {
  depth: 6,
  parameterLimit: 2_000,
  arrayLimit: 1_000,
  ignoreQueryPrefix: true,
  plainObjects: false,
  allowPrototypes: false,
}

/** Parses a query or urlencoded body with brackets. */
export const parseForm = (text: string): Record<string, unknown> =>
  text ? (qs.parse(text, QS) as Record<string, unknown>) : {}

/** The whole body, up to `max` bytes. */
export const readBody = (req: IncomingMessage, max: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > max) {
      reject(fail('too_large', 'The request is too large'))
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > max) {
        reject(fail('too_large', 'The request is too large'))
        req.removeAllListeners('data')
        req.resume()
      } else chunks.push(chunk)
    })
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    req.on('aborted', () => reject(fail('invalid', 'The request broke off')))
    req.on('error', (error) => reject(fail('invalid', 'The request broke off', { cause: error })))
  })

const depthOf = (value: unknown, depth = 0): number => {
  if (depth > 20 || typeof value !== 'object' || value === null) return depth
  return Math.max(depth, ...Object.values(value).map((one) => depthOf(one, depth + 1)))
}

const parseJson = (bytes: Buffer): Record<string, unknown> => {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw fail('invalid', 'The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('invalid', 'The body must be a JSON object')
  if (depthOf(value) > 20) throw fail('invalid', 'The body is nested too deeply')
  return value as Record<string, unknown>
}

const parseMultipart = (
  req: IncomingMessage,
  operation: AnyOperation,
  staging: Staging,
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const pairs: string[] = []
    const files: Record<string, StagedFile> = {}
    const storing: Promise<void>[] = []
    const keys: string[] = []
    let failed: unknown
    let parser: busboy.Busboy
    try {
      parser = busboy({
        headers: req.headers,
        limits: { fileSize: MAX_FILE, files: 4, fields: 500, fieldSize: MAX_BODY, parts: 504, headerPairs: 50 },
      })
    } catch (error) {
      reject(fail('invalid', 'The form could not be read', { cause: error }))
      return
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) failed ??= fail('too_large', 'A field of the form is too large')
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    })
    parser.on('file', (name, stream, info) => {
      const field = name.replace(/^.*\[(\w+)\]$/, '$1')
      if (!operation.files.includes(field)) {
        stream.resume()
        return
      }
      const key = `staging/${randomUUID()}`
      keys.push(key)
      storing.push(
        staging.put(key, stream, { contentType: info.mimeType, maxBytes: MAX_FILE }).then(
          ({ size }) => {
            if (stream.truncated) failed ??= invalidField('File size must be less than 99 MB')
            else files[field] = { key, size, type: info.mimeType, name: info.filename ?? '' }
          },
          (error) => {
            failed ??= error
            stream.resume()
          },
        ),
      )
    })
    const finish = async () => {
      await Promise.all(storing)
      if (failed === undefined) {
        resolve({ ...parseForm(pairs.join('&')), ...files })
        return
      }
      await staging.delete(keys).catch(() => undefined)
      reject(failed)
    }
    parser.on('close', finish)
    parser.on('error', (error) => {
      failed ??= fail('invalid', 'The form could not be read', { cause: error })
      finish()
    })
    req.on('aborted', () => {
      failed ??= fail('invalid', 'The request broke off')
      parser.destroy()
      finish()
    })
    req.pipe(parser)
  })

/** Reads the body in whatever form it came; operations without files never see a stream. */
export const readInput = async (
  req: IncomingMessage,
  operation: AnyOperation,
  staging: Staging,
): Promise<Record<string, unknown>> => {
  if (req.method === 'GET' || req.method === 'HEAD') return {}
  const length = req.headers['content-length']
  if (length === undefined && req.headers['transfer-encoding'] === undefined) return {}
  const type = (req.headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('multipart/form-data')) return parseMultipart(req, operation, staging)
  const bytes = await readBody(req, MAX_BODY)
  if (type.startsWith('application/json') || type.includes('+json')) return parseJson(bytes)
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(bytes.toString('utf8'))
  // No type, or a strange one: JSON when it looks like it, else a form; clients send both.
  const text = bytes.toString('utf8')
  return /^\s*\{/.test(text) ? parseJson(bytes) : parseForm(text)
}
