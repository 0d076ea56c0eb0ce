/** Signing in and out with a browser. */
import { sessionSignIn, sessionSignOut } from '@murmuration/contracts/accounts'
import type { Express, Request, Response } from 'express'
import type { Context } from '../context.js'
import { addressOf } from '../edge/address.js'
import { html } from './html.js'
import { sendPage } from './layout.js'
import { route } from './route.js'
import type { Sessions } from './session.js'

/** Only paths of our own: nobody is sent elsewhere after signing in. */
export const ownPath = (given: unknown): string =>
  typeof given === 'string' && /^\/(?![/\\])[^\s]*$/.test(given) ? given : '/'

const form = (
  ctx: Context,
  res: Response,
  options: { token: string; next: string; email?: string; problem?: string },
): void =>
  sendPage(res, {
    title: 'Sign in',
    site: ctx.policy.settings().site_title,
    status: options.problem ? 422 : 200,
    body: html`<div class="card"><h1>Sign in</h1>
${options.problem ? html`<p class="bad" role="alert">${options.problem}</p>` : ''}
<form method="post" action="/auth/sign_in">
<input type="hidden" name="authenticity_token" value="${options.token}"><input type="hidden" name="next" value="${options.next}">
<label for="email">E-mail address</label><input id="email" type="email" name="user[email]" value="${options.email ?? ''}" autocomplete="username" required autofocus>
<label for="password">Password</label><input id="password" type="password" name="user[password]" autocomplete="current-password" required>
<button type="submit">Sign in</button></form></div>`,
  })

export const mountSignIn = (app: Express, ctx: Context, sessions: Sessions): void => {
  app.get(
    '/auth/sign_in',
    route(ctx, async (req: Request, res: Response) => {
      form(ctx, res, { token: sessions.formToken(req, res), next: ownPath(req.query.next) })
    }),
  )
  app.post(
    '/auth/sign_in',
    route(ctx, async (req, res) => {
      const given = await sessions.form(req)
      const next = ownPath(given.next)
      const user = (given.user ?? {}) as Record<string, unknown>
      const email = String(user.email ?? '').slice(0, 320)
      const answer = await ctx.call(
        sessionSignIn,
        {
          email,
          password: String(user.password ?? '').slice(0, 2_000),
          ip: addressOf(req, ctx.config.trustedProxies),
          userAgent: req.headers['user-agent'] ?? null,
        },
        { timeoutMs: 5_000 },
      )
      if (answer.state !== 'signed-in' || answer.session === null) {
        form(ctx, res, {
          token: sessions.formToken(req, res),
          next,
          email,
          problem: 'Invalid e-mail address or password.',
        })
        return
      }
      sessions.begin(res, answer.session)
      res.redirect(303, next)
    }),
  )
  app.post(
    '/auth/sign_out',
    route(ctx, async (req, res) => {
      await sessions.form(req)
      const session = sessions.tokenOf(req)
      if (session) await ctx.call(sessionSignOut, { session })
      sessions.end(res)
      res.redirect(303, '/')
    }),
  )
}
