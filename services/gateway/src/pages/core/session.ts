/** Browser sessions: the cookie, who is behind it, and forms that belong to it. */
import { type SessionPerson, sessionResolve, sessionSignOut } from '@murmuration/contracts/accounts'
import { derive } from '@murmuration/kernel'
import type { Request, Response } from 'express'
import type { Context } from '../../context.js'
import { createCookies } from './cookies.js'
import { createFormProof, type PostedFiles } from './form-proof.js'
import type { Html } from './html.js'

export interface Sessions {
  /** Session cookie of the request, unchecked. */
  tokenOf(req: Request): string | null
  person(req: Request): Promise<SessionPerson | null>
  begin(res: Response, session: string): void
  /** A sign-in that needs another step: what that step has to bring back, for as long as it may take. */
  pause(res: Response, step: string): void
  /** The step that was paused at; null when there is none. */
  stepOf(req: Request): string | null
  /** Ends it here and on the server. */
  end(req: Request, res: Response): Promise<void>
  /** The hidden field of our forms. */
  proof(req: Request, res: Response): Html
  /** A posted form of ours; `maxBytes` is 64 KiB by default. */
  form(req: Request, maxBytes?: number): Promise<Record<string, unknown>>
  /** The body of a request of our web client, as JSON or as a form. */
  sent(req: Request): Promise<Record<string, unknown>>
  /** A posted form of ours with files, at most so many bytes in all. */
  upload(req: Request, accepts: readonly string[], maxBytes: number): Promise<PostedFiles>
  /** Shows a text on the next page; at most 300 characters. */
  flash(res: Response, text: string): void
  /** The text for this page, once. */
  takeFlash(req: Request, res: Response): string | null
}

const STEP_S = 900

export const createSessions = (ctx: Context): Sessions => {
  const cookies = createCookies(ctx.site.https)
  const forms = createFormProof({
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
    async person(req) {
      const session = tokenOf(req)
      return session === null ? null : (await ctx.call(sessionResolve, { session })).person
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
      if (session !== null) await ctx.call(sessionSignOut, { session })
      cookies.clear(res, 'session')
    },
    proof: (req, res) => forms.field(req, res),
    form: (req, maxBytes) => forms.read(req, maxBytes),
    sent: (req) => forms.readSent(req),
    upload: (req, accepts, maxBytes) => forms.readFiles(req, accepts, maxBytes),
    flash: (res, text) => cookies.write(res, 'told', Buffer.from(text.slice(0, 300)).toString('base64url'), 60),
    takeFlash(req, res) {
      const left = cookies.read(req, 'told')
      if (left === null) return null
      cookies.clear(res, 'told')
      return Buffer.from(left.slice(0, 1_600), 'base64url').toString('utf8')
    },
  }
}
