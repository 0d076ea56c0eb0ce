/** Consent: what an app asks for, and the person's yes or no (oauth.md 2). */
import {
  type AuthorizationRequest,
  authorizationApprove,
  authorizationDeny,
  authorizationPrepare,
  type Departure,
} from '@murmuration/contracts/accounts'
import type { Express, Request, Response } from 'express'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { type Html, html } from './html.js'
import { sendPage } from './layout.js'
import { route } from './route.js'
import type { Sessions } from './session.js'

const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** The request as it came, in query or form. */
const requestOf = (given: Record<string, unknown>): AuthorizationRequest => {
  const text = Object.fromEntries(
    FIELDS.filter((name) => typeof given[name] === 'string').map((name) => [name, String(given[name])]),
  )
  const force = given.force_login
  return {
    ...text,
    ...(force === undefined || force === 'false' || force === '0' || force === '' ? {} : { force_login: true }),
  }
}

const hidden = (request: AuthorizationRequest): Html[] =>
  FIELDS.filter((name) => request[name] !== undefined).map(
    (name) => html`<input type="hidden" name="${name}" value="${request[name]}">`,
  )

const MEANING: Record<string, string> = {
  read: 'read everything in your account',
  write: 'change everything in your account',
  follow: 'change whom you follow, mute and block',
  push: 'send you push notifications',
  profile: 'see your profile only',
}

/** Schemes and origins to which the form may lead; native apps have schemes of their own. */
const targetOf = (address: string | undefined): string[] => {
  try {
    const url = new URL(address ?? '')
    return [/^https?:$/.test(url.protocol) ? url.origin : url.protocol]
  } catch {
    return []
  }
}

const leave = (ctx: Context, res: Response, departure: z.infer<typeof Departure>): void => {
  if (departure.form === null) {
    res.redirect(303, departure.redirect)
    return
  }
  sendPage(res, {
    title: 'Continue',
    site: ctx.policy.settings().site_title,
    formTargets: targetOf(departure.redirect),
    body: html`<div class="card"><h1>Continue to the app</h1><form method="post" action="${departure.redirect}">${Object.entries(departure.form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit">Continue</button></form></div>`,
  })
}

const refuse = (
  ctx: Context,
  res: Response,
  refusal: { status: number; error: string; error_description: string },
): void =>
  sendPage(res, {
    title: 'Not possible',
    site: ctx.policy.settings().site_title,
    status: refusal.status,
    body: html`<div class="card"><h1>This app cannot be authorized</h1><p>${refusal.error_description}</p><p class="soft"><code>${refusal.error}</code></p></div>`,
  })

export const mountAuthorize = (app: Express, ctx: Context, sessions: Sessions): void => {
  const ask = async (req: Request, res: Response): Promise<void> => {
    const request = requestOf(req.query as Record<string, unknown>)
    const { outcome } = await ctx.call(authorizationPrepare, { session: sessions.tokenOf(req), request })
    if (outcome.kind === 'leave') return leave(ctx, res, outcome)
    if (outcome.kind === 'refused') return refuse(ctx, res, outcome)
    if (outcome.kind === 'sign-in') {
      // Asked for once: after signing in the person must not be asked again.
      const next = req.originalUrl.replace(/([?&])force_login=[^&]*&?/, '$1').replace(/[?&]$/, '')
      res.redirect(303, `/auth/sign_in?next=${encodeURIComponent(next)}`)
      return
    }
    if (outcome.kind === 'hindered')
      return sendPage(res, {
        title: 'Not yet',
        site: ctx.policy.settings().site_title,
        status: 403,
        body: html`<div class="card"><h1>Your account cannot do this now</h1><p>State of your account: ${outcome.state}.</p></div>`,
      })
    const person = await sessions.person(req)
    sendPage(res, {
      title: 'Authorize an app',
      site: ctx.policy.settings().site_title,
      formTargets: targetOf(request.redirect_uri),
      body: html`<div class="card"><h1>Authorize ${outcome.app.name}?</h1>
<p>${outcome.app.name} would like to use your account${person ? html` <strong>@${person.username}</strong>` : ''}. It will be able to:</p>
<ul class="scopes">${outcome.app.scopes.map((scope) => html`<li>${MEANING[scope] ?? scope} <span class="soft">(${scope})</span></li>`)}</ul>
<p class="soft">You will be sent to ${outcome.app.destination}.</p>
<form method="post" action="/oauth/authorize"><input type="hidden" name="authenticity_token" value="${sessions.formToken(req, res)}">${hidden(request)}
<div class="row"><button type="submit" name="commit" value="authorize">Authorize</button><button class="quiet" type="submit" name="_method" value="delete">Deny</button></div></form></div>`,
    })
  }
  const decide = async (req: Request, res: Response): Promise<void> => {
    const form = await sessions.form(req)
    const session = sessions.tokenOf(req)
    const request = requestOf(form)
    if (!session) {
      res.redirect(303, '/auth/sign_in')
      return
    }
    const denied = form._method === 'delete' || req.method === 'DELETE'
    const { outcome } = await ctx.call(denied ? authorizationDeny : authorizationApprove, { session, request })
    if (outcome.kind === 'leave') leave(ctx, res, outcome)
    else refuse(ctx, res, outcome)
  }
  app.get('/oauth/authorize', route(ctx, ask))
  app.post('/oauth/authorize', route(ctx, decide))
  app.delete('/oauth/authorize', route(ctx, decide))
  app.get(
    '/oauth/authorize/native',
    route(ctx, async (req, res) =>
      sendPage(res, {
        title: 'Authorization code',
        site: ctx.policy.settings().site_title,
        body: html`<div class="card"><h1>Your authorization code</h1><p>Copy it into the app:</p><p><code>${String(req.query.code ?? '')}</code></p></div>`,
      }),
    ),
  )
}
