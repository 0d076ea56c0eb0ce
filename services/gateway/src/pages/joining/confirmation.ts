/** Confirming an address: the link of the mail, and asking for that mail again. */
import { emailConfirm, emailResend } from '@murmuration/contracts/accounts'
import { type Html, html } from '../html.js'
import { say } from '../language.js'
import { card, sendPage } from '../layout.js'
import type { Sessions } from '../session.js'
import type { Pages, Visit } from '../visit.js'
import { userField } from './field.js'

const SENT =
  'If somebody with this address waits to be confirmed, a message with a link is on its way. Look into the folder for unwanted mail, too.'

const page = ({ ctx, res }: Visit, title: string, body: Html, status = 200): void =>
  sendPage(ctx, res, { title, status, indexed: false, body: card(title, body) })

const begin = (): Html =>
  html`<p>Open any app for this network, give it the address of this server, and sign in; or look around here first.</p><p><a class="button" href="/settings">Go on</a></p>`

/** What came of a link. */
const OUTCOMES = {
  confirmed: (visit: Visit) => page(visit, 'Your address is confirmed', begin()),
  changed: (visit: Visit) =>
    page(
      visit,
      'Your new address is confirmed',
      html`<p>From now on messages go there, and you sign in with it.</p><p><a class="button" href="/settings">Go on</a></p>`,
    ),
  waiting: (visit: Visit) =>
    page(
      visit,
      'Your address is confirmed',
      html`<p>Now the people who run this server look at your request. You get a message when they have decided.</p>`,
    ),
  taken: (visit: Visit) =>
    page(
      visit,
      'Somebody else has this address',
      html`<p>Another account was confirmed with this address in the meantime. Your address stays as it was.</p>`,
      422,
    ),
  used: (visit: Visit) =>
    page(
      visit,
      'This link does not work any more',
      html`<p>It was used before, or it ran out. If you confirmed already, you can <a href="/auth/sign_in">sign in</a>.</p><p><a class="button quiet" href="/auth/confirmation/new">Send another link</a></p>`,
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
      'Send the confirmation again',
      html`<form method="post" action="/auth/confirmation">${sessions.proof(visit.req, visit.res)}
<label for="email">E-mail address</label><input id="email" type="email" name="user[email]" maxlength="320" autocomplete="email" required autofocus>
<button type="submit">Send the link</button></form>`,
    ),
  )
  pages.add('post', '/auth/confirmation', async (visit) => {
    const form = await sessions.form(visit.req)
    const email = userField(form, 'email', 320).trim()
    await visit.limit({ email })
    await visit.ctx.call(emailResend, { email })
    page(visit, 'Look into your mail', html`<p>${say(SENT)}</p>`)
  })
}
