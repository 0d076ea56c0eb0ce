/** Settings page of browser sessions and recent sign-ins, with sign-out of other browsers. */

import {
  type BrowserSession,
  endSession,
  listSessions,
  listSignIns,
  type SignInAttempt,
} from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { labelOf, t } from '../core/language.js'
import { browserName } from '../core/parts/browser.js'
import { timeOf } from '../core/parts/time.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

const HERE = '/settings/sessions'

const METHOD: Readonly<Record<SignInAttempt['method'], Message>> = {
  password: msg('password'),
  code: msg('code of the app'),
  'backup-code': msg('backup code'),
  key: msg('passkey or security key'),
  provider: msg('another provider'),
}

const sessionRow = ({ csrfField }: SettingsContext, one: BrowserSession): Html =>
  html`<li><div><b>${browserName(one.userAgent)}${one.current ? html` <span class="badge">${t('this browser')}</span>` : ''}</b>
<span class="muted small">${t('{ip} · last seen {seen} · since {since}', { ip: one.ip ?? html`${t('unknown address')}`, seen: timeOf(one.used_at), since: timeOf(one.created_at) })}</span></div>
${one.current ? '' : html`<form method="post" action="${HERE}/end">${csrfField}<input type="hidden" name="id" value="${one.id}"><button class="quiet small" type="submit">${t('Sign out')}<span class="visually-hidden"> ${browserName(one.userAgent)}</span></button></form>`}</li>`

const attemptRow = (one: SignInAttempt): Html =>
  html`<li><div><b>${t('{result} with {method}', { result: one.succeeded ? html`${t('Signed in')}` : html`<span class="bad">${t('Failed')}</span>`, method: labelOf(METHOD, one.method) })}</b>
<span class="muted small">${timeOf(one.created_at)} · ${one.ip ?? html`${t('unknown address')}`} · ${browserName(one.userAgent)}</span></div></li>`

const show = async (context: SettingsContext): Promise<void> => {
  const { ctx, session, csrfField, req } = context
  const before = idOrNull(req.query.max_id)
  const [{ sessions }, { attempts }] = await Promise.all([
    ctx.call(listSessions, { session }),
    ctx.call(listSignIns, { session, before }),
  ])
  context.show({
    title: t('Sessions'),
    body: html`${panel(
      t('Browsers you are signed in with'),
      html`<ul class="rows">${sessions.map((one) => sessionRow(context, one))}</ul>
${
  sessions.length > 1
    ? html`<form method="post" action="${HERE}/end">${csrfField}<input type="hidden" name="id" value="others"><button class="danger" type="submit">${t('Sign out everywhere else')}</button></form>`
    : ''
}<p class="muted small">${t('Apps are not listed here; see {link}.', { link: html`<a href="/oauth/authorized_applications">${t('apps')}</a>` })}</p>`,
    )}${panel(
      t('Authentication history'),
      attempts.length
        ? html`<ul class="rows">${attempts.map(attemptRow)}</ul>${attempts.length === 40 ? html`<p><a href="${HERE}?max_id=${attempts.at(-1)?.id}">${t('Older')}</a></p>` : ''}`
        : html`<p class="muted">${t('No sign-ins in the last three months.')}</p>`,
    )}`,
  })
}

export const addSessions = (settings: Settings): void => {
  settings.add('get', HERE, 'sessions', show)
  settings.add('post', `${HERE}/end`, 'sessions', async (context, form) => {
    const id = fieldOf(form, 'id', 30)
    if (id !== 'others' && !isId(id)) return context.done(HERE, t('That session has already ended.'))
    const { ended } = await context.ctx.call(endSession, { session: context.session, id })
    context.done(
      HERE,
      t('{count, plural, one {One browser was signed out.} other {# browsers were signed out.}}', { count: ended }),
    )
  })
}
