/** OAuth consent page: shows the scopes that an app requests, and approves or denies them. */

import {
  type AuthorizationRedirect,
  type AuthorizationRequest,
  approveAuthorization,
  denyAuthorization,
  prepareAuthorization,
} from '@murmuration/contracts/accounts'
import { errorMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import { type PageRequest, type Pages, pageNotFound } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'
import { meaningOf } from '../core/scope-labels.js'
import type { Sessions } from '../core/session.js'
import { hiddenFields, readRequest } from './authorization-request.js'

/** Returns the browser to the app: by a redirect, or by a form for `response_mode=form_post`. */
const returnToApp = ({ ctx, res }: PageRequest, departure: AuthorizationRedirect): void => {
  if (departure.form === null) return redirect(res, departure.redirect, 303)
  const fields = Object.entries(departure.form).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  sendPage(ctx, res, {
    title: t('Continue to the app'),
    indexed: false,
    leadsToApp: true,
    body: card(
      t('Continue to the app'),
      html`<form method="post" action="${departure.redirect}">${fields}<button type="submit">${t('Continue')}</button></form>`,
    ),
  })
}

const refuse = (
  { ctx, res }: PageRequest,
  { status, error, error_description }: { status: number; error: string; error_description: string },
): void =>
  sendPage(ctx, res, {
    title: t('Authorization failed'),
    status,
    indexed: false,
    body: card(
      t('This app cannot be authorized'),
      html`<p>${errorMessage(error_description)}</p><p class="muted"><code>${error}</code></p>`,
    ),
  })

interface App {
  readonly name: string
  readonly website: string | null
  readonly scopes: readonly string[]
  readonly destination: string
}

/** Button that signs out and returns to this authorization request, so that the user can choose another account. */
const anotherAccount = (csrfField: Html, here: string): Html =>
  html`<form method="post" action="/auth/sign_out">${csrfField}<input type="hidden" name="next" value="${here}"><button class="quiet" type="submit">${t('Use another account')}</button></form>`

const consent = (
  app: App,
  {
    username,
    csrfField,
    request: requested,
    here,
  }: { username: string | null; csrfField: Html; request: AuthorizationRequest; here: string },
): Html =>
  card(
    t('Authorize {name}?', { name: app.name }),
    html`<p>${t('{app} would like permission to access your account{account}. It will be able to:', { app: html`<strong>${app.name}</strong>`, account: username ? html` <strong>@${username}</strong>` : '' })}</p>
<ul class="scopes">${app.scopes.map((scope) => html`<li>${meaningOf(scope)} <span class="muted">(${scope})</span></li>`)}</ul>
<p class="muted">${app.destination ? html`${t('You will be redirected to {destination}. Authorize only apps that you trust.', { destination: html`<strong>${app.destination}</strong>` })}` : html`${t('You will be shown a code to copy into the app. Authorize only apps that you trust.')}`}</p>
<form method="post" action="/oauth/authorize">${csrfField}${hiddenFields(requested)}
<div class="row"><button type="submit" name="commit" value="authorize">${t('Authorize')}</button><button class="quiet" type="submit" name="_method" value="delete">${t('Deny')}</button></div></form>
${anotherAccount(csrfField, here)}`,
  )

/**
 * Pages to which a user whose account may not authorize apps is redirected, by state of the account. For any other
 * state, the page is `/settings`.
 */
const INACTIVE_PAGES: Readonly<Record<string, string>> = {
  unconfirmed: '/auth/setup',
  unapproved: '/auth/setup',
  factor: '/settings/second_factor',
}

export const addAuthorize = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', '/oauth/authorize', async (request) => {
    const { ctx, req, res } = request
    const requested = readRequest(req.query)
    const { outcome } = await ctx.call(prepareAuthorization, { session: sessions.tokenOf(req), request: requested })
    if (outcome.kind === 'leave') return returnToApp(request, outcome)
    if (outcome.kind === 'refused') return refuse(request, outcome)
    if (outcome.kind === 'sign-in')
      return redirect(res, `/auth/sign_in?next=${encodeURIComponent(req.originalUrl)}`, 303)
    // The user is redirected to a page that shows why the account may not authorize apps.
    if (outcome.kind === 'hindered') return redirect(res, INACTIVE_PAGES[outcome.state] ?? '/settings', 303)
    const user = await sessions.user(req)
    sendPage(ctx, res, {
      title: t('Authorize {name}', { name: outcome.app.name }),
      indexed: false,
      ...(user ? { viewer: { username: user.username } } : {}),
      leadsToApp: true,
      body: consent(outcome.app, {
        username: user?.username ?? null,
        csrfField: sessions.csrfField(req, res),
        request: requested,
        here: req.originalUrl,
      }),
    })
  })
  const decide = async (request: PageRequest) => {
    const { ctx, req, res } = request
    const form = await sessions.form(req)
    const session = sessions.tokenOf(req)
    const requested = readRequest(form)
    if (session === null) return redirect(res, '/auth/sign_in', 303)
    const denied = form._method === 'delete' || req.method === 'DELETE'
    const { outcome } = await ctx.call(denied ? denyAuthorization : approveAuthorization, {
      session,
      request: requested,
    })
    if (outcome.kind === 'leave') returnToApp(request, outcome)
    else refuse(request, outcome)
  }
  pages.add('post', '/oauth/authorize', decide)
  pages.add('delete', '/oauth/authorize', decide)
  pages.add('get', '/oauth/authorize/native', ({ ctx, req, res }) => {
    const { code } = req.query
    if (typeof code !== 'string' || code === '') throw pageNotFound()
    sendPage(ctx, res, {
      title: t('Authorization code'),
      indexed: false,
      body: card(
        t('Your authorization code'),
        html`<p>${t('Copy it into the app:')}</p><p><code class="big">${code}</code></p><p class="muted">${t('It can be used once, within ten minutes.')}</p>`,
      ),
    })
  })
}
