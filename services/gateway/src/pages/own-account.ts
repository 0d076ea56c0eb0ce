/** One's own account in the browser: who is signed in, what stands in the way, and the way out. */
import type { SessionPerson } from '@murmuration/contracts/accounts'
import { type Html, html } from './html.js'
import { sendPage } from './layout.js'
import { redirect } from './redirect.js'
import type { Sessions } from './session.js'
import type { Pages } from './visit.js'

/** Why somebody who is signed in may not act. */
export const HINDRANCE: Readonly<Record<string, string>> = {
  unconfirmed: 'Your e-mail address is not confirmed yet. Follow the link in the message that was sent to you.',
  unapproved: 'Your account waits for approval by the people who run this server.',
  disabled: 'Your account is disabled. Ask the people who run this server.',
  suspended: 'Your account is suspended. Ask the people who run this server.',
}

const about = (person: SessionPerson, domain: string, proof: Html): Html => html`<div class="card">
<h1>Your account</h1>
<p class="who"><img class="avatar" src="${person.avatar}" alt="" width="46" height="46"><span><b>${person.display_name || person.username}</b><span class="soft">@${person.username}@${domain}</span></span></p>
${HINDRANCE[person.state] ? html`<p class="bad" role="alert">${HINDRANCE[person.state]}</p>` : html`<p>You are signed in. Open an app for this server and give it the address <code>${domain}</code>.</p>`}
<form method="post" action="/auth/sign_out">${proof}<div class="row"><a class="button" href="/@${person.username}">Your public profile</a><button class="quiet" type="submit">Sign out</button></div></form>
</div>`

export const addOwnAccount = (pages: Pages, sessions: Sessions): void =>
  pages.add('get', '/auth/edit', async ({ ctx, req, res }) => {
    const person = await sessions.person(req)
    if (!person) return redirect(res, '/auth/sign_in?next=/auth/edit', 303)
    sendPage(ctx, res, {
      title: 'Your account',
      indexed: false,
      body: about(person, ctx.site.localDomain, sessions.proof(req, res)),
    })
  })
