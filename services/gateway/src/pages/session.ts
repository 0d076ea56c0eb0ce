/** Browser sessions: the cookie, who is behind it, and proof that a form came from our own page (D-2). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type SessionPerson, sessionResolve } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { derive } from '@murmuration/kernel'
import type { Request, Response } from 'express'
import type { Context } from '../context.js'
import { parseForm, readBody } from '../edge/body.js'

const SESSION = 'murmuration_session'
const VISITOR = 'murmuration_visitor'
const MAX_FORM = 65_536
const YEAR_S = 31_536_000

const cookies = (req: Request): Map<string, string> =>
  new Map(
    (req.headers.cookie ?? '')
      .slice(0, 8_192)
      .split(';')
      .map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
      }),
  )

export interface Sessions {
  /** Session cookie of the request, unchecked. */
  tokenOf(req: Request): string | null
  person(req: Request): Promise<SessionPerson | null>
  begin(res: Response, session: string): void
  end(res: Response): void
  /** Hidden field that proves the form is ours; sets the visitor cookie when there is none. */
  formToken(req: Request, res: Response): string
  /** Reads a form post; refuses it when the proof is missing, wrong, or the post came from another site. */
  form(req: Request): Promise<Record<string, unknown>>
}

export const createSessions = (ctx: Context): Sessions => {
  const secret = derive(ctx.common, 'forms')
  const attributes = `Path=/; HttpOnly; SameSite=Lax${ctx.site.https ? '; Secure' : ''}`
  const proof = (visitor: string): string => createHmac('sha256', secret).update(visitor).digest('base64url')
  const tokenOf = (req: Request): string | null => cookies(req).get(SESSION) || null
  return {
    tokenOf,
    async person(req) {
      const session = tokenOf(req)
      return session === null ? null : (await ctx.call(sessionResolve, { session })).person
    },
    begin: (res, session) => res.appendHeader('Set-Cookie', `${SESSION}=${session}; ${attributes}; Max-Age=${YEAR_S}`),
    end: (res) => res.appendHeader('Set-Cookie', `${SESSION}=; ${attributes}; Max-Age=0`),
    formToken(req, res) {
      let visitor = cookies(req).get(VISITOR)
      if (!visitor || !/^[\w-]{22}$/.test(visitor)) {
        visitor = randomBytes(16).toString('base64url')
        res.appendHeader('Set-Cookie', `${VISITOR}=${visitor}; ${attributes}`)
      }
      return proof(visitor)
    },
    async form(req) {
      const origin = req.headers.origin
      if (
        origin !== undefined &&
        origin !== 'null' &&
        new URL(origin).host !== new URL(ctx.site.origin).host &&
        new URL(origin).host !== req.headers.host
      )
        throw fail('unprocessable', "Can't verify CSRF token authenticity.")
      const form = parseForm((await readBody(req, MAX_FORM)).toString('utf8'))
      const expected = Buffer.from(proof(cookies(req).get(VISITOR) ?? ''))
      const given = Buffer.from(String(form.authenticity_token ?? ''))
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw fail('unprocessable', "Can't verify CSRF token authenticity.")
      return form
    },
  }
}
