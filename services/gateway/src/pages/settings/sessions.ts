/** Where one is signed in, how signing in went lately, and signing out elsewhere. */
import {
  type BrowserSession,
  type SignInAttempt,
  sessionEnd,
  sessionList,
  signInList,
} from '@murmuration/contracts/accounts'
import { type Html, html } from '../core/html.js'
import { say, sayOf } from '../core/language.js'
import { browserName } from '../core/parts/browser.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import { type Desk, fieldOf, panel, type Settings } from '../core/settings-frame.js'

const HERE = '/settings/sessions'

const METHOD: Readonly<Record<SignInAttempt['method'], string>> = {
  password: 'password',
  code: 'code of the app',
  'backup-code': 'backup code',
  key: 'passkey or security key',
  provider: 'another provider',
}

const sessionRow = ({ proof }: Desk, one: BrowserSession): Html =>
  html`<li><div><b>${browserName(one.userAgent)}${one.current ? html` <span class="badge">this browser</span>` : ''}</b>
<span class="soft small">${one.ip ?? html`unknown address`} · last seen ${timeOf(one.used_at)} · since ${timeOf(one.created_at)}</span></div>
${one.current ? '' : html`<form method="post" action="${HERE}/end">${proof}<input type="hidden" name="id" value="${one.id}"><button class="quiet small" type="submit">Sign out<span class="unseen"> ${browserName(one.userAgent)}</span></button></form>`}</li>`

const attemptRow = (one: SignInAttempt): Html =>
  html`<li><div><b>${one.succeeded ? html`Signed in` : html`<span class="bad">Failed</span>`} with ${say(METHOD[one.method])}</b>
<span class="soft small">${timeOf(one.created_at)} · ${one.ip ?? html`unknown address`} · ${browserName(one.userAgent)}</span></div></li>`

const show = async (desk: Desk): Promise<void> => {
  const { ctx, session, proof, req } = desk
  const before = typeof req.query.max_id === 'string' && /^\d{1,19}$/.test(req.query.max_id) ? req.query.max_id : null
  const [{ sessions }, { attempts }] = await Promise.all([
    ctx.call(sessionList, { session }),
    ctx.call(signInList, { session, before }),
  ])
  desk.show({
    title: 'Sessions',
    body: html`${panel(
      'Browsers you are signed in with',
      html`<ul class="rows">${sessions.map((one) => sessionRow(desk, one))}</ul>
${
  sessions.length > 1
    ? html`<form method="post" action="${HERE}/end">${proof}<input type="hidden" name="id" value="others"><button class="danger" type="submit">Sign out everywhere else</button></form>`
    : ''
}<p class="soft small">Apps are not listed here; see <a href="/oauth/authorized_applications">apps</a>.</p>`,
    )}${panel(
      'Authentication history',
      attempts.length
        ? html`<ul class="rows">${attempts.map(attemptRow)}</ul>${attempts.length === 40 ? html`<p><a href="${HERE}?max_id=${attempts.at(-1)?.id}">Older</a></p>` : ''}`
        : html`<p class="soft">No sign-ins in the last three months.</p>`,
    )}`,
  })
}

export const addSessions = (settings: Settings): void => {
  settings.add('get', HERE, 'sessions', show)
  settings.add('post', `${HERE}/end`, 'sessions', async (desk, form) => {
    const id = fieldOf(form, 'id', 30)
    if (id !== 'others' && !/^\d{1,19}$/.test(id)) return desk.done(HERE, 'That session has already ended.')
    const { ended } = await desk.ctx.call(sessionEnd, { session: desk.session, id })
    desk.done(
      HERE,
      ended === 1 ? 'One browser was signed out.' : sayOf('%s browsers were signed out.', numberOf(ended)),
    )
  })
}
