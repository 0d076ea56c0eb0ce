/** Confirming an address: the link of the mail, and asking for that mail again. */
import { emailConfirm, emailResend } from '@murmuration/contracts/accounts'
import { userField } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { say } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { Sessions } from '../core/session.js'
import type { Pages, Visit } from '../core/visit.js'

const SENT =
  'If your e-mail address is waiting for confirmation, you will receive an e-mail with a link in a few minutes. Please check your spam folder.'

const page = ({ ctx, res }: Visit, title: string, body: Html, status = 200): void =>
  sendPage(ctx, res, { title, status, indexed: false, body: card(title, body) })

const begin = (): Html =>
  html`<p>Write your first post here, or sign in with any Mastodon app and the address of this server.</p><p><a class="button" href="/home">Continue</a></p>`

/** Pages for the results of a confirmation link. */
const OUTCOMES = {
  confirmed: (visit: Visit) => page(visit, 'Your e-mail address is confirmed', begin()),
  changed: (visit: Visit) =>
    page(
      visit,
      'Your new e-mail address is confirmed',
      html`<p>E-mails are now sent to this address, and you sign in with it.</p><p><a class="button" href="/settings">Continue</a></p>`,
    ),
  waiting: (visit: Visit) =>
    page(
      visit,
      'Your e-mail address is confirmed',
      html`<p>Your request is pending review by the moderators. You will receive an e-mail with their decision.</p>`,
    ),
  taken: (visit: Visit) =>
    page(
      visit,
      'This e-mail address is already taken',
      html`<p>Another account has confirmed this address. Your address was not changed.</p>`,
      422,
    ),
  used: (visit: Visit) =>
    page(
      visit,
      'This link is no longer valid',
      html`<p>It has expired or was already used. If your address is confirmed, you can <a href="/auth/sign_in">sign in</a>.</p><p><a class="button quiet" href="/auth/confirmation/new">Send another link</a></p>`,
      422,
    ),
}

export const addConfirmation = (pages: Pages, sessions: Sessions): void => {
  pages.add('get', '/auth/confirmation', async (visit) => {
    const { ctx, req } = visit
    const { confirmation_token: token } = req.query
    // A look at the headers alone does not use the link up.
    if (req.method === 'HEAD') return page(visit, 'Confirm your address', html``)
    const known = typeof token === 'string' && token.length <= 512
    const { state } = known ? await ctx.call(emailConfirm, { token }) : { state: 'used' as const }
    OUTCOMES[state](visit)
  })
  pages.add('get', '/auth/confirmation/new', (visit) =>
    page(
      visit,
      'Resend confirmation e-mail',
      html`<form method="post" action="/auth/confirmation">${sessions.proof(visit.req, visit.res)}
<label for="email">E-mail address</label><input id="email" type="email" name="user[email]" maxlength="320" autocomplete="email" required autofocus>
<button type="submit">Resend confirmation link</button></form>`,
    ),
  )
  pages.add('post', '/auth/confirmation', async (visit) => {
    const form = await sessions.form(visit.req)
    const email = userField(form, 'email', 320).trim()
    await visit.limit({ email })
    await visit.ctx.call(emailResend, { email })
    page(visit, 'Check your inbox', html`<p>${say(SENT)}</p>`)
  })
}
