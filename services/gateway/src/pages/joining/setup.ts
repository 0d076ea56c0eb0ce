/** Page for users with an unconfirmed or pending account. Such users can request another link or change their address. */
import { changeEmail, emailState, type SessionUser } from '@murmuration/contracts/accounts'
import { alertOf, problemsOf, userField } from '../core/field.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import { obstacleOf } from '../core/own-account.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'

const show = async (
  request: PageRequest,
  sessions: Sessions,
  { user, session }: { user: SessionUser; session: string },
  problems: string[] = [],
): Promise<void> => {
  const { ctx, req, res } = request
  const flash = sessions.takeFlash(req, res)
  const csrfField = sessions.csrfField(req, res)
  const { email } = await ctx.call(emailState, { session })
  const waits = html`<p>${t('We sent an e-mail with a confirmation link to {email}. Open the link to confirm your e-mail address. It is valid for two days.', { email: html`<strong>${email}</strong>` })}</p>
<p class="muted">${t('No e-mail received? Check your spam folder, request another link, or change your address.')}</p>
<form method="post" action="/auth/setup">${csrfField}<label for="email">${t('E-mail address')}</label><input id="email" type="email" name="user[email]" value="${email}" maxlength="320" autocomplete="email" required>
<button type="submit">${t('Resend confirmation link')}</button></form>`
  sendPage(ctx, res, {
    title: t('Almost there'),
    status: problems.length ? 422 : 200,
    indexed: false,
    viewer: { username: user.username, csrfField },
    body: card(
      user.state === 'unconfirmed' ? t('Check your inbox') : t('Account status'),
      html`${flash ? html`<p class="flash" role="status">${flash}</p>` : ''}${alertOf(problems)}${
        user.state === 'unconfirmed' ? waits : html`<p>${t(obstacleOf(user.state) ?? '')}</p>`
      }`,
    ),
  })
}

export const addSetup = (pages: Pages, sessions: Sessions): void => {
  /** Returns the signed-in user whose account is unconfirmed or pending. Redirects all other visitors and returns null. */
  const pendingUser = async ({ req, res }: PageRequest) => {
    const session = sessions.tokenOf(req)
    const user = session === null ? null : await sessions.user(req)
    if (session === null || user === null) return redirect(res, '/auth/sign_in?next=/auth/setup', 303) ?? null
    if (user.state === 'ok') return redirect(res, '/home', 303) ?? null
    return { user, session }
  }
  pages.add('get', '/auth/setup', async (request) => {
    const who = await pendingUser(request)
    if (who) await show(request, sessions, who)
  })
  pages.add('post', '/auth/setup', async (request) => {
    const { ctx, req, res } = request
    const form = await sessions.form(req)
    const who = await pendingUser(request)
    if (!who) return
    const email = userField(form, 'email', 1_000).trim()
    await request.limit({ email, viewerId: who.user.viewer.id })
    try {
      if (who.user.state === 'unconfirmed') await ctx.call(changeEmail, { session: who.session, email })
    } catch (error) {
      return show(request, sessions, who, problemsOf(error))
    }
    sessions.flash(res, t('The e-mail was sent.'))
    redirect(res, '/auth/setup', 303)
  })
}
