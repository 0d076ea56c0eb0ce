/** Pages for a forgotten password: requesting the recovery link, and setting a new password with it. */
import { requestPasswordReset, resetPassword } from '@murmuration/contracts/accounts'
import { msg } from '@murmuration/messages'
import { alertOf, problemsOf, userField } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'

const SENT = msg(
  'If your e-mail address exists in our database, you will receive a password recovery link in a few minutes. It is valid for six hours. Please check your spam folder.',
)

const page = ({ ctx, res }: PageRequest, title: string, body: Html, status = 200): void =>
  sendPage(ctx, res, { title, status, indexed: false, body: card(title, body) })

const used = (request: PageRequest): void =>
  page(
    request,
    t('This link is no longer valid'),
    html`<p>${t('It has expired or was already used.')}</p><p><a class="button quiet" href="/auth/password/new">${t('Send another link')}</a></p>`,
    422,
  )

export const addPassword = (pages: Pages, sessions: Sessions): void => {
  const chooser = (request: PageRequest, token: string, problems: string[] = []): void =>
    page(
      request,
      t('Set new password'),
      html`${alertOf(problems)}<form method="post" action="/auth/password/edit">${sessions.csrfField(request.req, request.res)}<input type="hidden" name="user[token]" value="${token}">
<label for="password">${t('New password')}</label><input id="password" type="password" name="user[password]" minlength="8" autocomplete="new-password" aria-describedby="password-rule" required autofocus>
<p id="password-rule" class="muted small">${t('Use 8 to 128 characters, and no common password.')}</p>
<p class="muted small">${t('You will be signed out everywhere, and apps must be authorized again.')}</p>
<button type="submit">${t('Save')}</button></form>`,
      problems.length ? 422 : 200,
    )
  pages.add('get', '/auth/password/new', (request) =>
    page(
      request,
      t('Forgot your password?'),
      html`<form method="post" action="/auth/password">${sessions.csrfField(request.req, request.res)}
<label for="email">${t('E-mail address')}</label><input id="email" type="email" name="user[email]" maxlength="320" autocomplete="email" required autofocus>
<button type="submit">${t('Send a link')}</button></form>`,
    ),
  )
  pages.add('post', '/auth/password', async (request) => {
    const form = await sessions.form(request.req)
    const email = userField(form, 'email', 320).trim()
    await request.limit({ email })
    await request.ctx.call(requestPasswordReset, { email })
    page(request, t('Check your inbox'), html`<p>${t(SENT)}</p>`)
  })
  pages.add('get', '/auth/password/edit', (request) => {
    const { reset_password_token: token } = request.req.query
    if (typeof token !== 'string' || !/^[\w-]{20,200}$/.test(token)) return used(request)
    chooser(request, token)
  })
  pages.add(
    'post',
    '/auth/password/edit',
    async (request) => {
      const { ctx, req, res } = request
      const form = await sessions.form(req)
      await request.limit()
      const token = userField(form, 'token', 512)
      try {
        const { state } = await ctx.call(resetPassword, { token, password: userField(form, 'password') })
        if (state === 'used') return used(request)
      } catch (error) {
        return chooser(request, token, problemsOf(error))
      }
      sessions.flash(res, t('Your password has been changed. You can now sign in.'))
      redirect(res, '/auth/sign_in', 303)
    },
    'login',
  )
}
