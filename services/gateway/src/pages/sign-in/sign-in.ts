/** Sign-in with a password, and sign-out. */
import { signInUser } from '@murmuration/contracts/accounts'
import { msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { directProvider, providerPath, providersOf } from '../core/providers.js'
import { landingPath, ownPath, redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { isAuthorization } from './authorization-request.js'
import { toSecondStep } from './second-step.js'

const REFUSED = msg('Invalid e-mail address or password.')

/** Links for users who cannot sign in, for example to sign-up and to password recovery. */
const helpLinks = (): Html =>
  html`<p class="muted small"><a href="/auth/password/new">${t('Forgot your password?')}</a> · <a href="/auth/confirmation/new">${t('No confirmation e-mail received?')}</a> · <a href="/auth/sign_up">${t('Sign up')}</a></p>`

const passwordForm = (
  csrfField: Html,
  next: string,
  email: string,
): Html => html`<form method="post" action="/auth/sign_in">
${csrfField}<input type="hidden" name="next" value="${next}">
<label for="email">${t('E-mail address')}</label><input id="email" type="email" name="user[email]" value="${email}" autocomplete="username" maxlength="320" required autofocus>
<label for="password">${t('Password')}</label><input id="password" type="password" name="user[password]" autocomplete="current-password" required>
<button type="submit">${t('Sign in')}</button></form>
${helpLinks()}`

/** One button for each identity provider (S-176). */
const providerButtons = ({ ctx: { config } }: PageRequest, next: string): Html | '' => {
  const providers = providersOf(config)
  if (providers.length === 0) return ''
  const buttons = providers.map(
    (one) =>
      html`<a class="button${config.externalOnly ? '' : ' quiet'}" href="${providerPath(one, next)}">${one.name}</a>`,
  )
  return html`<p class="muted providers">${t(config.externalOnly ? 'Sign in with' : 'Or sign in with')}</p><p class="row">${buttons}</p>`
}

const formPage = (
  request: PageRequest,
  sessions: Sessions,
  { next, email = '', problem }: { next: string; email?: string; problem?: string },
): void => {
  const { ctx, req, res } = request
  const flash = sessions.takeFlash(req, res)
  const alert: Html | '' = problem
    ? html`<p class="flash wrong" role="alert">${problem}</p>`
    : flash
      ? html`<p class="flash" role="status">${flash}</p>`
      : ''
  sendPage(ctx, res, {
    title: t('Sign in'),
    status: problem ? 422 : 200,
    indexed: false,
    leadsToApp: isAuthorization(next),
    body: card(
      t('Sign in'),
      html`${alert}${ctx.config.externalOnly ? '' : passwordForm(sessions.csrfField(req, res), next, email)}${providerButtons(request, next)}`,
    ),
  })
}

/** Text of a form field such as `user[email]`. */
const textIn = (form: Record<string, unknown>, group: string, name: string): string => {
  const fields = form[group]
  const value = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}

export const addSignIn = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', '/auth/sign_in', async (request) => {
    const { config } = request.ctx
    const next = ownPath(request.req.query.next)
    if (next === '/' && (await sessions.user(request.req))) return redirect(request.res, landingPath(next), 303)
    const direct = directProvider(config)
    // After an error (`again`), the sign-in page is shown instead of a redirect to the provider, so that the user can read the message.
    if (direct && config.externalOnly && request.req.query.again === undefined)
      return redirect(request.res, providerPath(direct, next), 303)
    formPage(request, sessions, { next })
  })
  pages.add(
    'post',
    '/auth/sign_in',
    async (request) => {
      const { ctx, req, res, ip } = request
      const form = await sessions.form(req)
      const next = ownPath(form.next)
      const email = textIn(form, 'user', 'email').slice(0, 320)
      await request.limit({ email })
      const { state, session, proof } = await ctx.call(signInUser, {
        email,
        password: textIn(form, 'user', 'password').slice(0, 2_000),
        ip,
        userAgent: req.headers['user-agent']?.slice(0, 512) ?? null,
      })
      if (state === 'second-factor' && proof !== null) return toSecondStep(request, sessions, proof, next)
      if (state !== 'signed-in' || session === null)
        return formPage(request, sessions, { next, email, problem: t(REFUSED) })
      sessions.begin(res, session)
      redirect(res, landingPath(next), 303)
    },
    'login',
  )
  const signOut = async ({ req, res }: PageRequest) => {
    const { next } = await sessions.form(req)
    await sessions.end(req, res)
    redirect(res, ownPath(next), 303)
  }
  pages.add('post', '/auth/sign_out', signOut)
  pages.add('delete', '/auth/sign_out', signOut)
}
