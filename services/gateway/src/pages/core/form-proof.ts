/** Proof that a posted form is one of ours: a field that only our page could have, and a post that began on our site (D014). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fail } from '@murmuration/contracts/kit'
import { parseBody } from '../../edge/input/body.js'
import { BODY_MS, MAX_PAGE_FORM } from '../../edge/input/body-size.js'
import { parseForm } from '../../edge/input/form.js'
import { readMultipart, type StagedFile, type Staging } from '../../edge/input/multipart.js'
import { checkBody, hasBody, readBody } from '../../edge/input/read-body.js'
import { hostOf, nameOf } from '../../edge/routing/address.js'
import { type Cookies, newSecret } from './cookies.js'
import { type Html, html } from './html.js'

/** Most bytes of a request of a web client, whose stored settings are at most 64 KB. */
const MAX_WEB_CLIENT = 131_072
const FIELD = 'authenticity_token'

const refused = () =>
  fail(
    'forbidden',
    'This form is no longer valid, or it came from another site. Go back, load the page again and retry.',
  )

/** PostgreSQL keeps no NUL in a text, and no browser sends one. */
const holdsNul = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsNul)

const whole = <Form extends Record<string, unknown>>(form: Form): Form => {
  if (holdsNul(form)) throw fail('unprocessable', 'What was sent contains a null character')
  return form
}

export interface PostedFiles {
  readonly form: Record<string, unknown>
  readonly files: Readonly<Record<string, StagedFile>>
}

export interface FormProof {
  /** The hidden field; gives the browser a visitor cookie when it has none. */
  field(req: IncomingMessage, res: ServerResponse): Html
  /** Reads a posted form; refuses it when the proof is missing or wrong. Requests without a body bring it as `X-CSRF-Token`. */
  read(req: IncomingMessage, maxBytes?: number): Promise<Record<string, unknown>>
  /** Reads what a web client sent, as JSON or as a form, with the proof in either or as `X-CSRF-Token`. */
  readSent(req: IncomingMessage): Promise<Record<string, unknown>>
  /** The same for a form with files, which wait in staging; of a form that is refused nothing stays there. */
  readFiles(req: IncomingMessage, accepts: readonly string[], maxBytes: number): Promise<PostedFiles>
}

/** True when the browser says that the post began elsewhere. */
const isForeign = (req: IncomingMessage, webDomain: string, trustedProxies: number): boolean => {
  const site = req.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin } = req.headers
  if (origin === undefined) return false
  const host = URL.parse(origin)?.hostname
  return host === undefined || (host !== nameOf(webDomain) && host !== hostOf(req, trustedProxies))
}

export const createFormProof = (options: {
  secret: string
  cookies: Cookies
  webDomain: string
  trustedProxies: number
  staging: Staging
}): FormProof => {
  const { cookies } = options
  /** Bound to the visitor and to who is signed in, so that a proof ends with the session it was made in. */
  const proof = (visitor: string, session: string | null): Buffer =>
    createHmac('sha256', options.secret)
      .update(`${visitor}\n${session ?? ''}`)
      .digest()
  const visitorOf = (req: IncomingMessage): string | null => {
    const visitor = cookies.read(req, 'visitor')
    return visitor !== null && /^[\w-]{32}$/.test(visitor) ? visitor : null
  }
  const isProved = (req: IncomingMessage, value: unknown): boolean => {
    const visitor = visitorOf(req)
    const given = Buffer.from(String(value ?? ''), 'base64url')
    const expected = proof(visitor ?? '', cookies.read(req, 'session'))
    return visitor !== null && given.length === expected.length && timingSafeEqual(given, expected)
  }
  return {
    field(req, res) {
      let visitor = visitorOf(req)
      if (visitor === null) {
        visitor = newSecret()
        cookies.write(res, 'visitor', visitor)
      }
      const value = proof(visitor, cookies.read(req, 'session')).toString('base64url')
      return html`<input type="hidden" name="${FIELD}" value="${value}">`
    },
    async read(req, maxBytes = MAX_PAGE_FORM) {
      if (isForeign(req, options.webDomain, options.trustedProxies)) throw refused()
      const form = hasBody(req) ? parseForm((await readBody(req, maxBytes, BODY_MS)).toString('utf8')) : {}
      if (!isProved(req, form[FIELD] ?? req.headers['x-csrf-token'])) throw refused()
      return whole(form)
    },
    async readSent(req) {
      const unproved = () => fail('unprocessable', "Can't verify CSRF token authenticity.")
      if (isForeign(req, options.webDomain, options.trustedProxies)) throw unproved()
      const given = hasBody(req) ? (await parseBody(req, await readBody(req, MAX_WEB_CLIENT, BODY_MS))).given : {}
      if (!isProved(req, given[FIELD] ?? req.headers['x-csrf-token'])) throw unproved()
      return whole(given)
    },
    async readFiles(req, accepts, maxBytes) {
      if (isForeign(req, options.webDomain, options.trustedProxies)) throw refused()
      if (!/^multipart\/form-data/i.test(req.headers['content-type'] ?? '')) throw refused()
      checkBody(req, maxBytes)
      const { fields, files } = await readMultipart({ headers: req.headers, body: req }, accepts, options.staging)
      if (isProved(req, fields[FIELD]) && !holdsNul(fields)) return { form: fields, files }
      await options.staging.delete(Object.values(files).map((file) => file.key)).catch(() => undefined)
      throw refused()
    },
  }
}
