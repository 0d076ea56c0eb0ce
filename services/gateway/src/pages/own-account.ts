/** One's own login in the browser: what stands in the way, and the way out. */
import { html } from './html.js'
import { panel, type Settings } from './settings/desk.js'

/** Why somebody who is signed in may not act. */
export const HINDRANCE: Readonly<Record<string, string>> = {
  unconfirmed: 'Your e-mail address is not confirmed yet. Follow the link in the message that was sent to you.',
  unapproved: 'Your account waits for approval by the people who run this server.',
  disabled: 'Your account is disabled. Ask the people who run this server.',
  suspended: 'Your account is suspended. Ask the people who run this server.',
  factor: 'Your account requires two-factor authentication. Add a second factor in the settings first.',
}

export const addOwnAccount = (settings: Settings): void =>
  settings.add('get', '/auth/edit', 'account', ({ ctx, person, proof, show }) => {
    const why = HINDRANCE[person.state]
    show({
      title: 'Your account',
      body: panel(
        `@${person.username}@${ctx.site.localDomain}`,
        html`${why ? html`<p class="bad" role="alert">${why}</p>` : html`<p>You are signed in.</p>`}
<form method="post" action="/auth/sign_out">${proof}<div class="row"><button class="quiet" type="submit">Sign out</button></div></form>`,
      ),
    })
  })
