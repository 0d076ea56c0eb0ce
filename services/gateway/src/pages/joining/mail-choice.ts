/** Settings of e-mail notifications, and the unsubscribe link in these e-mails. */
import {
  changeMailChoice,
  type MailChoice,
  MailedType,
  showMailChoice,
  unsubscribeFromMail,
} from '@murmuration/contracts/notifications'
import { type Message, msg } from '@murmuration/messages'
import { checkbox } from '../core/choice.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { fieldOf, panel, type Settings } from '../core/settings-frame.js'

const LABELS: Readonly<Record<MailedType, Message>> = {
  mention: msg('Someone mentioned you'),
  follow: msg('Someone followed you'),
  follow_request: msg('Someone requested to follow you'),
  reblog: msg('Someone boosted your post'),
  favourite: msg('Someone favourited your post'),
  quote: msg('Someone quoted your post'),
  'admin.report': msg('A new report was submitted (for moderators)'),
}

const formOf = (
  choice: MailChoice,
  csrfField: Html,
): Html => html`<form method="post" action="/settings/mail">${csrfField}
${MailedType.options.map((type) => checkbox(type, t(LABELS[type]), choice.types.includes(type)))}
<h2>${t('When')}</h2>${checkbox('daily', t('One e-mail a day'), choice.daily)}${checkbox('always', t('Also when I receive push notifications'), choice.always)}
<button type="submit">${t('Save')}</button></form>
<p class="muted small">${t('E-mails about your login and about moderation decisions are always sent.')}</p>`

/** Confirmation page. GET must not unsubscribe, because mail scanners open the links of e-mails. */
const confirmPage = ({ ctx, res }: PageRequest, token: string): void =>
  sendPage(ctx, res, {
    title: t('E-mails about notifications'),
    indexed: false,
    body: card(
      t('Unsubscribe?'),
      html`<p>${t('You will no longer receive e-mail notifications. E-mails about your login are still sent.')}</p>
<form method="post" action="/unsubscribe?token=${encodeURIComponent(token)}"><button type="submit">${t('Unsubscribe')}</button></form>`,
    ),
  })

const tokenIn = ({ req }: PageRequest): string =>
  typeof req.query.token === 'string' ? req.query.token.slice(0, 512) : ''

export const addMailChoice = (pages: Pages, settings: Settings): void => {
  settings.add('get', '/settings/mail', 'mail', async ({ ctx, user, csrfField, show }) => {
    const choice = await ctx.call(showMailChoice, { account: user.viewer.id })
    show({ title: t('E-mails'), body: panel(t('Send e-mail notifications when'), formOf(choice, csrfField)) })
  })
  settings.add('post', '/settings/mail', 'mail', async ({ ctx, user, done }, form) => {
    await ctx.call(changeMailChoice, {
      account: user.viewer.id,
      types: MailedType.options.filter((type) => fieldOf(form, type) === '1'),
      always: fieldOf(form, 'always') === '1',
      daily: fieldOf(form, 'daily') === '1',
    })
    done('/settings/mail', t('Saved.'))
  })
  pages.add('get', '/unsubscribe', (request) => confirmPage(request, tokenIn(request)))
  // This POST needs no CSRF token. Mail clients send it themselves (RFC 8058), and the token in the URL authorizes it.
  pages.add('post', '/unsubscribe', async (request) => {
    const { done } = await request.ctx.call(unsubscribeFromMail, { token: tokenIn(request) })
    sendPage(request.ctx, request.res, {
      title: t('E-mails about notifications'),
      status: done ? 200 : 422,
      indexed: false,
      body: card(
        done ? t('Done') : t('This link is no longer valid'),
        done
          ? html`<p>${t('You no longer receive e-mail notifications. You can change this in your {link}.', { link: html`<a href="/settings/mail">${t('settings')}</a>` })}</p>`
          : html`<p>${t('Choose in your {link} which e-mails you receive.', { link: html`<a href="/settings/mail">${t('settings')}</a>` })}</p>`,
      ),
    })
  })
}
