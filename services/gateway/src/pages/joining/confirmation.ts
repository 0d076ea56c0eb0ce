/** Pages for e-mail confirmation: the link of the e-mail, and requesting another e-mail. */
import { confirmEmail, resendEmail } from '@murmuration/contracts/accounts'
import { msg } from '@murmuration/messages'
import { userField } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'

const SENT = msg(
  'If your e-mail address is waiting for confirmation, you will receive an e-mail with a link in a few minutes. Please check your spam folder.',
)

const page = ({ ctx, res }: PageRequest, title: string, body: Html, status = 200): void =>
  sendPage(ctx, res, { title, status, indexed: false, body: card(title, body) })

const begin = (): Html =>
  html`<p>${t('Write your first post here, or sign in with any Mastodon app and the address of this server.')}</p><p><a class="button" href="/home">${t('Continue')}</a></p>`

/** Titles and texts of the page that a confirmation link opens, by its result. */
const OUTCOMES = {
  confirmed: (request: PageRequest) => page(request, t('Your e-mail address is confirmed'), begin()),
  changed: (request: PageRequest) =>
    page(
      request,
      t('Your new e-mail address is confirmed'),
      html`<p>${t('E-mails are now sent to this address, and you sign in with it.')}</p><p><a class="button" href="/settings">${t('Continue')}</a></p>`,
    ),
  waiting: (request: PageRequest) =>
    page(
      request,
      t('Your e-mail address is confirmed'),
      html`<p>${t('Your request is pending review by the moderators. You will receive an e-mail with their decision.')}</p>`,
    ),
  taken: (request: PageRequest) =>
    page(
      request,
      t('This e-mail address is already taken'),
      html`<p>${t('Another account has confirmed this address. Your address was not changed.')}</p>`,
      422,
    ),
  used: (request: PageRequest) =>
    page(
      request,
      t('This link is no longer valid'),
      html`<p>${t('It has expired or was already used. If your address is confirmed, you can {link}.', { link: html`<a href="/auth/sign_in">${t('sign in')}</a>` })}</p><p><a class="button quiet" href="/auth/confirmation/new">${t('Send another link')}</a></p>`,
      422,
    ),
}

export const addConfirmation = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', '/auth/confirmation', async (request) => {
    const { ctx, req } = request
    const { confirmation_token: token } = req.query
    // A HEAD request must not use up the confirmation link, because mail scanners send HEAD requests.
    if (req.method === 'HEAD') return page(request, t('Confirm your address'), html``)
    const known = typeof token === 'string' && token.length <= 512
    const { state } = known ? await ctx.call(confirmEmail, { token }) : { state: 'used' as const }
    const show = OUTCOMES[state] ?? OUTCOMES.used
    show(request)
  })
  pages.add('get', '/auth/confirmation/new', (request) =>
    page(
      request,
      t('Resend confirmation e-mail'),
      html`<form method="post" action="/auth/confirmation">${sessions.csrfField(request.req, request.res)}
<label for="email">${t('E-mail address')}</label><input id="email" type="email" name="user[email]" maxlength="320" autocomplete="email" required autofocus>
<button type="submit">${t('Resend confirmation link')}</button></form>`,
    ),
  )
  pages.add('post', '/auth/confirmation', async (request) => {
    const form = await sessions.form(request.req)
    const email = userField(form, 'email', 320).trim()
    await request.limit({ email })
    await request.ctx.call(resendEmail, { email })
    page(request, t('Check your inbox'), html`<p>${t(SENT)}</p>`)
  })
}
