/** Sign-in with an identity provider: redirect, callback, and the form of a first sign-in (link or create an account). */
import {
  beginIdentitySignIn,
  claimIdentity,
  finishIdentitySignIn,
  linkIdentity,
  showIdentity,
} from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { msg } from '@murmuration/messages'
import { failureMessage } from '../core/error-message.js'
import { problemsOf } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import { type Page, type PageRequest, type Pages, pageNotFound } from '../core/page-request.js'
import { providersOf, signInPath } from '../core/providers.js'
import { landingPath, ownPath, redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { isAuthorization } from './authorization-request.js'
import { toSecondStep } from './second-step.js'

const NEWCOMER = '/auth/identity'
const OVER = msg('This sign-in has expired or failed too often. Sign in again.')
/** Maximum number of characters of the query with which the browser returns from an identity provider. */
const MAX_QUERY = 8_000

const browserOf = ({ req, ip }: PageRequest) => ({ ip, userAgent: req.headers['user-agent']?.slice(0, 512) ?? null })

/**
 * Shows the error of a sign-in as a page instead of redirecting to sign-in. If the only identity provider replaces the
 * sign-in page, a redirect would return to that provider at once.
 */
const refused = ({ ctx, res }: PageRequest, status: number, text: string): void =>
  sendPage(ctx, res, {
    title: t('Not signed in'),
    status,
    indexed: false,
    body: card(
      t('You are not signed in'),
      html`<p class="flash wrong" role="alert">${text}</p><p class="row"><a class="button" href="${signInPath(ctx.config)}">${t('Try again')}</a><a class="button quiet" href="/">${t('Back to the home page')}</a></p>`,
    ),
  })

type Entry =
  | { kind: 'signed-in'; session: string; next: string }
  | { kind: 'second-factor'; proof: string; next: string }

const enter = (request: PageRequest, sessions: Sessions, entry: Entry): void => {
  const next = ownPath(entry.next)
  if (entry.kind === 'second-factor') return toSecondStep(request, sessions, entry.proof, next)
  sessions.begin(request.res, entry.session)
  redirect(request.res, landingPath(next), 303)
}

/** Runs a handler, and shows the errors of services as a page with a link to continue. */
const showingRefusals =
  (page: Page): Page =>
  async (request) => {
    try {
      await page(request)
    } catch (error) {
      if (!(error instanceof Failure) || !['forbidden', 'unavailable'].includes(error.code)) throw error
      if (error.extras.cause) request.ctx.log.warn({ error: error.extras.cause }, 'a sign-in with a provider failed')
      refused(request, error.status, failureMessage(error))
    }
  }

const showNewcomer = async (
  request: PageRequest,
  sessions: Sessions,
  { problem, username }: { problem?: string; username?: string } = {},
): Promise<void> => {
  const { ctx, req, res } = request
  const step = sessions.stepOf(req)
  const { found } = step === null ? { found: null } : await ctx.call(showIdentity, { step })
  if (!found) return refused(request, 403, t(OVER))
  const alert: Html | '' = problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''
  const body =
    found.kind === 'link'
      ? html`<p>${t('An account here has the address {email}, which {provider} names as yours. If it is your account, enter its password once. Afterwards {provider} signs you in.', { email: html`<strong>${found.email}</strong>`, provider: found.provider })}</p>${alert}
<form method="post" action="${NEWCOMER}">${sessions.csrfField(req, res)}<label for="password">${t('Password of your account here')}</label><input id="password" type="password" name="password" autocomplete="current-password" required autofocus><button type="submit">${t('Join them')}</button></form>`
      : html`<p>${t('{provider} confirmed who you are. Choose the name that others see; it cannot be changed later.', { provider: found.provider })}</p>${alert}
<form method="post" action="${NEWCOMER}">${sessions.csrfField(req, res)}<label for="username">${t('Username')}</label><input id="username" type="text" name="username" value="${username ?? found.username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="30" pattern="[A-Za-z0-9_]+" required autofocus aria-describedby="handle"><p class="muted small" id="handle">${t('Letters, digits and underscores. Your handle ends in @{domain}, your e-mail address is {email}.', { domain: ctx.site.localDomain, email: found.email })}</p><button type="submit">${t('Make my account')}</button></form>`
  sendPage(ctx, res, {
    title: found.kind === 'link' ? t('Is this your account?') : t('Welcome'),
    status: problem ? 422 : 200,
    indexed: false,
    leadsToApp: isAuthorization(found.next),
    body: card(found.kind === 'link' ? t('Is this your account?') : t('Welcome'), body),
  })
}

const takeNewcomer = async (request: PageRequest, sessions: Sessions): Promise<void> => {
  const { ctx, req } = request
  const form = await sessions.form(req)
  await request.limit()
  const step = sessions.stepOf(req)
  if (step === null) return refused(request, 403, t(OVER))
  if (typeof form.password === 'string') {
    const password = form.password.slice(0, 2_000)
    const { outcome } = await ctx.call(linkIdentity, { step, password, ...browserOf(request) })
    if (outcome.kind === 'over') return refused(request, 403, t(OVER))
    if (outcome.kind === 'refused') return showNewcomer(request, sessions, { problem: t('The password is not right.') })
    return enter(request, sessions, outcome)
  }
  const username = typeof form.username === 'string' ? form.username.slice(0, 200) : ''
  try {
    const { session, next } = await ctx.call(claimIdentity, { step, username, ...browserOf(request) })
    if (session === null) return refused(request, 403, t(OVER))
    enter(request, sessions, { kind: 'signed-in', session, next })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error
    await showNewcomer(request, sessions, { problem: problemsOf(error).join(' '), username })
  }
}

export const addProviderSignIn = (pages: Pages, sessions: Sessions): void => {
  const begin = showingRefusals(async (request) => {
    const { ctx, req, res } = request
    const provider = String(req.params.provider)
    if (!providersOf(ctx.config).some(({ id }) => id === provider)) throw pageNotFound()
    await request.limit()
    const started = await ctx.call(beginIdentitySignIn, { provider, next: ownPath(req.query.next).slice(0, MAX_QUERY) })
    sessions.pause(res, started.step)
    redirect(res, started.redirect, 303)
  })
  pages.add('get', '/auth/auth/:provider', begin)
  pages.add(
    'get',
    '/auth/auth/:provider/callback',
    showingRefusals(async (request) => {
      const { ctx, req, res } = request
      const provider = String(req.params.provider)
      if (!providersOf(ctx.config).some(({ id }) => id === provider)) throw pageNotFound()
      await request.limit()
      const step = sessions.stepOf(req)
      if (step === null)
        return refused(request, 403, t('This sign-in took too long, or it began in another browser. Try again.'))
      const query = req.originalUrl.replace(/^[^?]*\??/, '').slice(0, MAX_QUERY)
      const { outcome } = await ctx.call(finishIdentitySignIn, { provider, query, step, ...browserOf(request) })
      if (outcome.kind === 'joined') {
        sessions.flash(res, t('From now on this provider signs you in too.'))
        return redirect(res, landingPath(ownPath(outcome.next)), 303)
      }
      if (outcome.kind !== 'unknown') return enter(request, sessions, outcome)
      sessions.pause(res, outcome.step)
      redirect(res, NEWCOMER, 303)
    }),
  )
  pages.add('get', NEWCOMER, (request) => showNewcomer(request, sessions))
  pages.add(
    'post',
    NEWCOMER,
    showingRefusals((request) => takeNewcomer(request, sessions)),
  )
}
