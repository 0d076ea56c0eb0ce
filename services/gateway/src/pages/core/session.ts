/** Browser sessions: cookies, the signed-in user, CSRF-protected forms and flash messages. */
import { resolveSession, type SessionUser, signOutUser } from '@murmuration/contracts/accounts'
import type { Failure } from '@murmuration/contracts/kit'
import { derive } from '@murmuration/kernel'
import type { Request, Response } from 'express'
import type { Context } from '../../context.js'
import { createCookies } from './cookies.js'
import { createCsrfForms, type PostedFiles } from './csrf.js'
import type { Html } from './html.js'

export interface Sessions {
  /** Session token in the cookie of the request, which may be invalid or expired; null without one. */
  tokenOf(req: Request): string | null
  /** Returns the signed-in user; null without a valid session. */
  user(req: Request): Promise<SessionUser | null>
  /** Sets the session cookie after a sign-in. */
  begin(res: Response, session: string): void
  /** Sets the cookie of a sign-in that needs another step; it expires after 15 minutes. */
  pause(res: Response, step: string): void
  /** Token of the pending sign-in step; null without one. */
  stepOf(req: Request): string | null
  /** Signs out: clears the cookie and ends the session in the accounts service. */
  end(req: Request, res: Response): Promise<void>
  /** The hidden CSRF field of forms. */
  csrfField(req: Request, res: Response): Html
  /** Reads a posted form with a valid CSRF token; `maxBytes` is 64 KiB by default. */
  form(req: Request, maxBytes?: number): Promise<Record<string, unknown>>
  /** Reads the body of a request of a web client, as JSON or as a form. */
  sent(req: Request): Promise<Record<string, unknown>>
  /** Reads a posted multipart form. If it is too large to be read, throws the error of `refusal`. */
  upload(req: Request, accepts: readonly string[], refusal: () => Failure): Promise<PostedFiles>
  /** Stores a text of at most 300 characters in a cookie, so that the next page shows it. */
  flash(res: Response, text: string): void
  /** Returns the text that the previous page stored for this page, and deletes it; null if there is none. */
  takeFlash(req: Request, res: Response): string | null
}

/** Seconds that a sign-in step may take. */
const STEP_S = 900

export const createSessions = (ctx: Context): Sessions => {
  const cookies = createCookies(ctx.site.https)
  const forms = createCsrfForms({
    secret: derive(ctx.common, 'forms'),
    cookies,
    webDomain: ctx.site.webDomain,
    trustedProxies: ctx.config.trustedProxies,
    staging: ctx.staging,
  })
  const tokenOf = (req: Request) => {
    const token = cookies.read(req, 'session')
    return token !== null && token.length <= 512 ? token : null
  }
  return {
    tokenOf,
    async user(req) {
      const session = tokenOf(req)
      return session === null ? null : (await ctx.call(resolveSession, { session })).person
    },
    begin(res, session) {
      cookies.clear(res, 'step')
      cookies.write(res, 'session', session)
    },
    pause: (res, step) => cookies.write(res, 'step', step, STEP_S),
    stepOf(req) {
      const step = cookies.read(req, 'step')
      return step !== null && step.length <= 512 ? step : null
    },
    async end(req, res) {
      const session = tokenOf(req)
      if (session !== null) await ctx.call(signOutUser, { session })
      cookies.clear(res, 'session')
    },
    csrfField: (req, res) => forms.field(req, res),
    form: (req, maxBytes) => forms.read(req, maxBytes),
    sent: (req) => forms.readSent(req),
    upload: (req, accepts, refusal) => forms.readFiles(req, accepts, refusal),
    flash: (res, text) => cookies.write(res, 'flash', Buffer.from(text.slice(0, 300)).toString('base64url'), 60),
    takeFlash(req, res) {
      const left = cookies.read(req, 'flash')
      if (left === null) return null
      cookies.clear(res, 'flash')
      return Buffer.from(left.slice(0, 1_600), 'base64url').toString('utf8')
    },
  }
}
