/** Reads and parses a request body: JSON, urlencoded or multipart. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type AnyOperation, errorText, fail } from '@murmuration/contracts/kit'
import { BODY_MS, bodyCap, MAX_FIELDS, MAX_FILE, MAX_INLINE_BODY, UPLOAD_MS } from './body-size.js'
import { parseForm } from './form.js'
import { stageInline } from './inline-file.js'
import { parseJsonBody } from './json-body.js'
import { readMultipart, type StagedFile, type Staging } from './multipart.js'
import { checkBody, hasBody, readBody } from './read-body.js'

export interface Body {
  /** Fields of the request body, not validated yet. */
  readonly given: Record<string, unknown>
  /** True if the body is a form, in which a repeated field becomes a list. False if it is JSON. */
  readonly form: boolean
  readonly files: Readonly<Record<string, StagedFile>>
}
export const NO_BODY: Body = { given: {}, form: false, files: {} }

/** Staging area for operations that accept no files. It refuses every file. */
const NO_STAGING: Staging = {
  put: () => Promise.reject(new Error('no file is taken here')),
  delete: async () => undefined,
}

const typeOf = (req: IncomingMessage): string => (req.headers['content-type'] ?? '').toLowerCase()
const isMultipart = (req: IncomingMessage): boolean => typeOf(req).startsWith('multipart/form-data')

/** Whether a request body is larger than plain fields may be, or of unknown length. Such a body may contain pictures as `data:` fields. */
const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(headers['content-length']) > MAX_FIELDS

/** Whether a request body may contain files. Such a body is read only after the caller was authorized. */
export const isUpload = (req: IncomingMessage, operation: AnyOperation): boolean =>
  operation.files.length > 0 && (isMultipart(req) || (operation.inlineFiles && isLarge(req)))

/** Reads the bytes of a request body without files; null if the request has no body. */
export const bytesOf = async (req: IncomingMessage, operation: AnyOperation): Promise<Buffer | null> =>
  hasBody(req) ? readBody(req, isMultipart(req) ? MAX_FIELDS : bodyCap(operation), BODY_MS) : null

/**
 * Parses a request body by its content type. If the content type is unknown, a body whose first character is that of
 * JSON is parsed as JSON, any other body as a form.
 */
export const parseBody = async (req: IncomingMessage, bytes: Buffer): Promise<Body> => {
  const type = typeOf(req)
  if (type.startsWith('multipart/form-data')) {
    const { fields } = await readMultipart({ headers: req.headers, body: Readable.from([bytes]) }, [], NO_STAGING)
    return { given: fields, form: true, files: {} }
  }
  if (type.startsWith('application/json') || type.includes('+json'))
    return { given: parseJsonBody(bytes), form: false, files: {} }
  const text = bytes.toString('utf8')
  return type.startsWith('application/x-www-form-urlencoded') || !/^\s*\{/.test(text)
    ? { given: parseForm(text), form: true, files: {} }
    : { given: parseJsonBody(bytes), form: false, files: {} }
}

const MiB = 1_048_576
const filesTooLarge = () =>
  fail(
    'too_large',
    errorText('The request is too large: a file must be smaller than {most} MB', { most: MAX_FILE / MiB }),
  )

/** Reads a body with files: multipart files are streamed to staging, and pictures in `data:` fields are stored there. */
export const readUpload = async (req: IncomingMessage, operation: AnyOperation, staging: Staging): Promise<Body> => {
  if (!isMultipart(req))
    return withInline(await parseBody(req, await readBody(req, MAX_INLINE_BODY, UPLOAD_MS)), operation, staging)
  checkBody(req, MAX_FILE * operation.files.length + MAX_FIELDS * 2, filesTooLarge)
  const { fields, files } = await readMultipart({ headers: req.headers, body: req }, operation.files, staging)
  return withInline({ given: fields, form: true, files }, operation, staging)
}

/**
 * Stores the pictures in the `data:` fields of a body in staging, and returns the body with them. On an error, all
 * files of the body are deleted from staging.
 */
export const withInline = async (body: Body, operation: AnyOperation, staging: Staging): Promise<Body> => {
  if (!operation.inlineFiles) return body
  try {
    const { given, files } = await stageInline(body.given, operation.files, staging)
    // A file of the form takes precedence over a `data:` field of the same name.
    return Object.keys(files).length === 0 ? body : { ...body, given, files: { ...files, ...body.files } }
  } catch (error) {
    await staging.delete(Object.values(body.files).map((file) => file.key)).catch(() => undefined)
    throw error
  }
}
