/** Parses multipart bodies: fields are parsed like a urlencoded form, files are streamed to staging. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { BlobError, type BlobStore } from '@murmuration/blob'
import { Failure, fail, invalidField, meaningOf } from '@murmuration/contracts/kit'
import busboy from 'busboy'
import { MAX_FIELDS, MAX_FILE, MAX_FILES, UPLOAD_MS } from './body-size.js'
import { parseForm } from './form.js'

export interface StagedFile {
  key: string
  size: number
  type: string
  name: string
}
/** Blob store in which uploads wait for the media service. `put` stores a complete file or nothing. */
export type Staging = Pick<BlobStore, 'put' | 'delete'>

/** Maximum number of characters in the name of a form field. */
const MAX_NAME = 100
const LIMITS = {
  fileSize: MAX_FILE,
  files: MAX_FILES,
  fields: 500,
  fieldSize: MAX_FIELDS,
  parts: 504,
  headerPairs: 50,
}

const unreadable = (cause?: unknown) => fail('invalid', 'The form could not be read', { cause })

const parserFor = (headers: IncomingHttpHeaders): busboy.Busboy => {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' })
  } catch (error) {
    throw unreadable(error)
  }
}

/** Maps errors of the blob store to API errors; returns other errors unchanged. */
export const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof BlobError)) return error
  if (error.code === 'too_large') return invalidField('File size must be less than 99 MB')
  if (error.code === 'interrupted') return fail('invalid', 'The request broke off', { cause: error })
  return error.code === 'no_space'
    ? fail('no_space', 'There is no space left for uploads, please try again later', { cause: error, retryAfter: 60 })
    : fail('unavailable', 'There was a temporary problem serving your request, please try again', {
        cause: error,
        retryAfter: 5,
      })
}

/** Returns the name of a file field without its brackets: `avatar` for `user[avatar]` and `avatar`. */
const fieldOf = (name: string): string => name.replace(/^.*\[(\w+)\]$/, '$1')

/** Name of a list field without the keys of its items: `media[][cover]` for `media[3][cover]` and `media[x][cover]`. */
const withoutKeys = (name: string): string => name.replace(/\[[^[\]]*\](?=\[)/g, '[]')

/**
 * Replaces staging keys in the values of fields by the staged files. Clients cannot send such a key, because the keys
 * of this request are random.
 */
const withFiles = (value: unknown, nested: ReadonlyMap<string, StagedFile>): unknown => {
  if (typeof value === 'string') return nested.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => withFiles(one, nested))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withFiles(one, nested)]))
}

/**
 * Reads a multipart form. Files in fields other than `accepts` are skipped. A file of a list is returned in its list
 * item, and in `files` under its staging key. On an error or a disconnect, all files are deleted from staging.
 */
export const readMultipart = async (
  { headers, body }: { headers: IncomingHttpHeaders; body: Readable },
  accepts: readonly string[],
  staging: Staging,
): Promise<{ fields: Record<string, unknown>; files: Record<string, StagedFile> }> => {
  const parser = parserFor(headers)
  const pairs: string[] = []
  const files: Record<string, StagedFile> = {}
  const nested = new Map<string, StagedFile>()
  const storing: Promise<void>[] = []
  const keys: string[] = []
  let fieldBytes = 0
  let failed: unknown
  /** Temporary failure of the blob store. It is thrown instead of `failed`, because the parser may report an incomplete form before it. */
  let storeFailed: unknown
  const giveUp = (error: unknown) => {
    failed ??= error
    body.unpipe(parser)
    parser.destroy()
  }
  const store = async (
    field: string | null,
    key: string,
    stream: NodeJS.ReadableStream & { truncated?: boolean },
    { mimeType: type, filename }: busboy.FileInfo,
  ) => {
    keys.push(key)
    try {
      const { size } = await staging.put(key, stream as never, { contentType: type, maxBytes: MAX_FILE })
      if (stream.truncated) throw invalidField('File size must be less than 99 MB')
      const file = { key, size, type, name: (filename ?? '').replaceAll('\0', '').toWellFormed() }
      files[field ?? key] = file
      if (field === null) nested.set(key, file)
    } catch (error) {
      stream.resume()
      const refusal = asRefusal(error)
      if (refusal instanceof Failure && meaningOf(refusal.code).retry) storeFailed ??= refusal
      giveUp(refusal)
    }
  }
  parser.on('field', (name: string | undefined, value, info) => {
    if (!name) return
    fieldBytes += name.length + value.length
    if (info.valueTruncated || name.length > MAX_NAME || fieldBytes > MAX_FIELDS)
      giveUp(fail('too_large', 'The fields of the form are too large'))
    else pairs.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
  })
  parser.on('file', (name, stream, info) => {
    const field = fieldOf(name ?? '')
    const key = `staging/${randomUUID()}`
    // The form parser (busboy) emits the error of an incomplete form also on the stream of the file.
    stream.on('error', (error) => giveUp(unreadable(error)))
    if (name && name.length <= MAX_NAME && accepts.includes(withoutKeys(name)) && name.includes('[')) {
      // The staging key is added as a field, so that parsing the form assigns the file to its list item.
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(key)}`)
      storing.push(store(null, key, stream, info))
    } else if (!accepts.includes(field) || field in files) stream.resume()
    else storing.push(store(field, key, stream, info))
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => giveUp(fail('invalid', 'The form has too many parts')))

  const cut = () => {
    if (!body.readableEnded) giveUp(fail('invalid', 'The request broke off'))
  }
  body.once('close', cut)
  // The client may have disconnected before the listener for `close` was added.
  if (body.destroyed) cut()
  const timer = setTimeout(
    () =>
      giveUp(fail('timeout', 'The request took too long to arrive', { status: 408, headers: { Connection: 'close' } })),
    UPLOAD_MS,
  )
  body.pipe(parser)
  await finished(parser).catch((error) => {
    failed ??= unreadable(error)
  })
  clearTimeout(timer)
  body.off('close', cut)
  await Promise.all(storing)
  if (failed === undefined)
    try {
      const fields = parseForm(pairs.join('&'))
      return { fields: nested.size === 0 ? fields : (withFiles(fields, nested) as typeof fields), files }
    } catch (error) {
      failed = error
    }
  await staging.delete(keys).catch(() => undefined)
  throw storeFailed ?? failed
}
