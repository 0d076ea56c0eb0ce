/** CSRF protection of posted forms (D014): a token bound to cookies of the browser, and a check of the request's origin. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Failure, fail } from '@murmuration/contracts/kit'
import { parseBody } from '../../edge/input/body.js'
import { BODY_MS, MAX_PAGE_FORM, MAX_PAGE_UPLOAD } from '../../edge/input/body-size.js'
import { parseForm } from '../../edge/input/form.js'
import { readMultipart, type StagedFile, type Staging } from '../../edge/input/multipart.js'
import { checkBody, hasBody, readBody } from '../../edge/input/read-body.js'
import { hostOf, nameOf } from '../../edge/routing/address.js'
import { type Cookies, newSecret } from './cookies.js'
import { type Html, html } from './html.js'

/** Maximum number of bytes of a request of a web client. Its largest content is the stored settings, at most 64 KB. */
const MAX_WEB_CLIENT = 131_072
const FIELD = 'authenticity_token'
/** Name of the form field with the id of the form. The id is different each time that a page is shown. See `repeated-form.ts`. */
export const FORM_ID = 'form_id'

const refused = () =>
  fail(
    'forbidden',
    'This form is no longer valid, or it came from another site. Go back, load the page again and retry.',
  )

/** True if a field name or value contains a NUL character. PostgreSQL cannot store NUL characters in text. */
const containsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.entries(value).flat().some(containsNul)

const nullCharacter = () => fail('unprocessable', 'The form contains a null character')

/** Returns the form unchanged. Throws `unprocessable` if the form contains a NUL character. */
const withoutNul = <Form extends Record<string, unknown>>(form: Form): Form => {
  if (containsNul(form)) throw nullCharacter()
  return form
}

export interface PostedFiles {
  readonly form: Record<string, unknown>
  readonly files: Readonly<Record<string, StagedFile>>
}

export interface CsrfForms {
  /** Returns the hidden fields with the CSRF token and the id of the form. Sets the visitor cookie if the browser has none. */
  field(req: IncomingMessage, res: ServerResponse): Html
  /** Reads a posted form. Throws `forbidden` without a valid CSRF token in the form or the header `X-CSRF-Token`. */
  read(req: IncomingMessage, maxBytes?: number): Promise<Record<string, unknown>>
  /** Reads the body of a request of a web client, as JSON or as a form. Throws `unprocessable` if the CSRF token is not valid. */
  readSent(req: IncomingMessage): Promise<Record<string, unknown>>
  /**
   * Reads a multipart form, whose files are stored in staging. Without a valid CSRF token, throws `forbidden` and deletes
   * the files. If the body is too large to be read, throws the error of `refusal`.
   */
  readFiles(req: IncomingMessage, accepts: readonly string[], refusal: () => Failure): Promise<PostedFiles>
}

/** Whether Sec-Fetch-Site or Origin shows that another site sent the request. */
const isCrossSite = (req: IncomingMessage, webDomain: string, trustedProxies: number): boolean => {
  const site = req.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin } = req.headers
  if (origin === undefined) return false
  const host = URL.parse(origin)?.hostname
  return host === undefined || (host !== nameOf(webDomain) && host !== hostOf(req, trustedProxies))
}

export const createCsrfForms = (options: {
  secret: string
  cookies: Cookies
  webDomain: string
  trustedProxies: number
  staging: Staging
}): CsrfForms => {
  const { cookies } = options
  /** Returns the CSRF token: an HMAC of the visitor and session cookies. It is invalid as soon as the session changes. */
  const tokenOf = (visitor: string, session: string | null): Buffer =>
    createHmac('sha256', options.secret)
      .update(`${visitor}\n${session ?? ''}`)
      .digest()
  const visitorOf = (req: IncomingMessage): string | null => {
    const visitor = cookies.read(req, 'visitor')
    return visitor !== null && /^[\w-]{32}$/.test(visitor) ? visitor : null
  }
  const isValidToken = (req: IncomingMessage, value: unknown): boolean => {
    const visitor = visitorOf(req)
    const given = Buffer.from(typeof value === 'string' ? value : '', 'base64url')
    const expected = tokenOf(visitor ?? '', cookies.read(req, 'session'))
    return visitor !== null && given.length === expected.length && timingSafeEqual(given, expected)
  }
  return {
    field(req, res) {
      let visitor = visitorOf(req)
      if (visitor === null) {
        visitor = newSecret()
        cookies.write(res, 'visitor', visitor)
      }
      const value = tokenOf(visitor, cookies.read(req, 'session')).toString('base64url')
      return html`<input type="hidden" name="${FIELD}" value="${value}"><input type="hidden" name="${FORM_ID}" value="${randomUUID()}" autocomplete="off">`
    },
    async read(req, maxBytes = MAX_PAGE_FORM) {
      if (isCrossSite(req, options.webDomain, options.trustedProxies)) throw refused()
      const form = hasBody(req) ? parseForm((await readBody(req, maxBytes, BODY_MS)).toString('utf8')) : {}
      if (!isValidToken(req, form[FIELD] ?? req.headers['x-csrf-token'])) throw refused()
      return withoutNul(form)
    },
    async readSent(req) {
      const invalidToken = () => fail('unprocessable', "Can't verify CSRF token authenticity.")
      if (isCrossSite(req, options.webDomain, options.trustedProxies)) throw invalidToken()
      const given = hasBody(req) ? (await parseBody(req, await readBody(req, MAX_WEB_CLIENT, BODY_MS))).given : {}
      if (!isValidToken(req, given[FIELD] ?? req.headers['x-csrf-token'])) throw invalidToken()
      return withoutNul(given)
    },
    async readFiles(req, accepts, refusal) {
      if (isCrossSite(req, options.webDomain, options.trustedProxies)) throw refused()
      if (!/^multipart\/form-data/i.test(req.headers['content-type'] ?? '')) throw refused()
      checkBody(req, MAX_PAGE_UPLOAD, refusal)
      const { fields, files } = await readMultipart({ headers: req.headers, body: req }, accepts, options.staging)
      const isValid = isValidToken(req, fields[FIELD])
      if (isValid && !containsNul(fields)) return { form: fields, files }
      await options.staging.delete(Object.values(files).map((file) => file.key)).catch(() => undefined)
      throw isValid ? nullCharacter() : refused()
    },
  }
}
