/** Mails about notifications: which ones, and the way out that each of them carries. */
import {
  type MailChoice,
  MailedType,
  mailChoiceChange,
  mailChoiceShow,
  mailUnsubscribe,
} from '@murmuration/contracts/notifications'
import { type Html, html } from '../html.js'
import { card, sendPage } from '../layout.js'
import { tick } from '../settings/choice.js'
import { fieldOf, panel, type Settings } from '../settings/desk.js'
import type { Pages, Visit } from '../visit.js'

const LABELS: Readonly<Record<MailedType, string>> = {
  mention: 'Somebody mentions me',
  follow: 'Somebody follows me',
  follow_request: 'Somebody asks to follow me',
  reblog: 'Somebody boosts a post of mine',
  favourite: 'Somebody favourites a post of mine',
  quote: 'Somebody quotes a post of mine',
  'admin.report': 'A report is filed (for moderators)',
}

const formOf = (choice: MailChoice, proof: Html): Html => html`<form method="post" action="/settings/mail">${proof}
${MailedType.options.map((type) => tick(type, LABELS[type], choice.types.includes(type)))}
<h2>When</h2>${tick('daily', 'All in one message a day', choice.daily)}${tick('always', 'Also while an app on one of my devices tells me', choice.always)}
<button type="submit">Save</button></form>
<p class="soft small">Messages about your login and about decisions of the moderators always come.</p>`

/** Asks before it ends anything: programs that look at links in mails must not end it. */
const question = ({ ctx, res }: Visit, token: string): void =>
  sendPage(ctx, res, {
    title: 'E-mails about notifications',
    indexed: false,
    body: card(
      'No more e-mails?',
      html`<p>You will get no more e-mails about notifications. Messages about your login still come.</p>
<form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}"><button type="submit">No more e-mails</button></form>`,
    ),
  })

const tokenIn = ({ req }: Visit): string => (typeof req.query.token === 'string' ? req.query.token.slice(0, 512) : '')

export const addMailChoice = (pages: Pages, settings: Settings): void => {
  settings.add('get', '/settings/mail', 'mail', async ({ ctx, person, proof, show }) => {
    const choice = await ctx.call(mailChoiceShow, { account: person.viewer.id })
    show({ title: 'E-mails', body: panel('Write to me when', formOf(choice, proof)) })
  })
  settings.add('post', '/settings/mail', 'mail', async ({ ctx, person, done }, form) => {
    await ctx.call(mailChoiceChange, {
      account: person.viewer.id,
      types: MailedType.options.filter((type) => fieldOf(form, type) === '1'),
      always: fieldOf(form, 'always') === '1',
      daily: fieldOf(form, 'daily') === '1',
    })
    done('/settings/mail', 'Saved.')
  })
  pages.add('get', '/unsubscribe', (visit) => question(visit, tokenIn(visit)))
  // Mail programs press this themselves (RFC 8058): the token is the proof.
  pages.add('post', '/unsubscribe', async (visit) => {
    const { done } = await visit.ctx.call(mailUnsubscribe, { token: tokenIn(visit) })
    sendPage(visit.ctx, visit.res, {
      title: 'E-mails about notifications',
      status: done ? 200 : 422,
      indexed: false,
      body: card(
        done ? 'Done' : 'This link does not work any more',
        done
          ? html`<p>You get no more e-mails about notifications. You can change that in your <a href="/settings/mail">settings</a>.</p>`
          : html`<p>Choose in your <a href="/settings/mail">settings</a> what you want to be written about.</p>`,
      ),
    })
  })
}
