/** Second step of sign-in: one-time code, backup code or passkey. */
import { finishSignIn, sessionFactors } from '@murmuration/contracts/accounts'
import { msg } from '@murmuration/messages'
import { KEY_SCRIPT_PATH } from '../core/assets.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { keyForm } from '../core/parts/key-form.js'
import { landingPath, ownPath, redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { isAuthorization } from './authorization-request.js'

export const SECOND_STEP = '/auth/sign_in/second_factor'
const WRONG = msg('Invalid code or key. Try the next code, or another second factor.')
const OVER = msg('This sign-in has expired or failed too often. Sign in again.')

/** Sets the cookie with the token of the first step, and redirects to the second step. */
export const toSecondStep = ({ res }: PageRequest, sessions: Sessions, proof: string, next: string): void => {
  sessions.pause(res, proof)
  redirect(res, `${SECOND_STEP}?next=${encodeURIComponent(next)}`, 303)
}

const again = ({ res }: PageRequest, sessions: Sessions, next: string): void => {
  sessions.flash(res, t(OVER))
  redirect(res, `/auth/sign_in?again=1&next=${encodeURIComponent(next)}`, 303)
}

const show = async (request: PageRequest, sessions: Sessions, next: string, problem?: string): Promise<void> => {
  const { ctx, req, res } = request
  const proof = sessions.stepOf(req)
  const { factors } = proof === null ? { factors: null } : await ctx.call(sessionFactors, { proof })
  if (!factors) return again(request, sessions, next)
  const fields = html`${sessions.csrfField(req, res)}<input type="hidden" name="next" value="${next}">`
  const { codes, keyOptions } = factors
  sendPage(ctx, res, {
    title: t('Two-factor authentication'),
    status: problem ? 422 : 200,
    indexed: false,
    leadsToApp: isAuthorization(next),
    ...(keyOptions ? { scripts: [KEY_SCRIPT_PATH] } : {}),
    body: card(
      t('Confirm that it is you'),
      html`${problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''}${
        keyOptions
          ? html`<h2>${t('Passkey or security key')}</h2>${keyForm({ kind: 'get', callApi: keyOptions, action: SECOND_STEP, fields, label: t('Use a key') })}<h2>${t(codes ? 'Or a code' : 'Or a backup code')}</h2>`
          : ''
      }<form method="post" action="${SECOND_STEP}">${fields}
<label for="code">${t(codes ? 'Code from your authenticator app, or a backup code' : 'Backup code')}</label><input id="code" type="text" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required${keyOptions ? '' : html` autofocus`}>
<button type="submit">${t('Sign in')}</button></form>
<p class="muted small">${t('Lost access to all of them? Contact the moderators of this server.')}</p>`,
    ),
  })
}

export const addSecondStep = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', SECOND_STEP, (request) => show(request, sessions, ownPath(request.req.query.next)))
  pages.add(
    'post',
    SECOND_STEP,
    async (request) => {
      const { ctx, req, res, ip } = request
      const form = await sessions.form(req)
      await request.limit()
      const next = ownPath(form.next)
      const proof = sessions.stepOf(req)
      if (proof === null) return again(request, sessions, next)
      const text = (name: string, max: number) => {
        const value = form[name]
        return typeof value === 'string' && value !== '' ? value.slice(0, max) : null
      }
      const { state, session } = await ctx.call(finishSignIn, {
        proof,
        code: text('code', 200),
        credential: text('credential', 32_768),
        ip,
        userAgent: req.headers['user-agent']?.slice(0, 512) ?? null,
      })
      if (state === 'over') return again(request, sessions, next)
      if (state === 'refused' || session === null) return show(request, sessions, next, t(WRONG))
      sessions.begin(res, session)
      redirect(res, landingPath(next), 303)
    },
    'login',
  )
}
