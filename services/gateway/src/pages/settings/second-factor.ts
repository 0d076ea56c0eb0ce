/** Second factors: an app that makes codes, passkeys and security keys, backup codes, and turning them off. */
import {
  backupCodeRenew,
  oneTimeCodeBegin,
  oneTimeCodeConfirm,
  type SecurityKey,
  secondFactorRemove,
  secondFactorShow,
} from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { type Html, html } from '../html.js'
import { sayOf } from '../language.js'
import { qrCode } from '../parts/qr-code.js'
import { countOf, dayOf, timeOf } from '../parts/time.js'
import { sayProblem } from '../problem-words.js'
import { type Desk, fieldOf, panel, type Settings } from './desk.js'

export const HERE = '/settings/second_factor'
type Shown = Awaited<ReturnType<typeof factors>>

const factors = ({ ctx, session }: Desk) => ctx.call(secondFactorShow, { session })

/** The name is there for password managers. Who has no password proves themselves by having signed in just now; the services say when that was too long ago. */
export const passwordField = ({ person }: Desk, id: string, hasPassword: boolean): Html =>
  hasPassword
    ? html`<input type="text" name="username" value="${person.username}" autocomplete="username" readonly hidden><label for="${id}">Your password</label><input id="${id}" type="password" name="password" autocomplete="current-password" maxlength="200" required>`
    : html`<input type="hidden" name="password" value="">`

const form = (desk: Desk, path: string, body: Html): Html =>
  html`<form method="post" action="${HERE}${path}">${desk.proof}${body}</form>`

const appPanel = (desk: Desk, { codesSince, hasPassword }: Shown): Html =>
  panel(
    'App that makes codes',
    codesSince
      ? html`<p>An app makes codes for you since ${dayOf(codesSince)}. Signing in asks for one after the password.</p>`
      : html`<p>An authenticator app on your phone or computer shows a new code every half minute; signing in asks for it after the password.</p>
<details><summary>Set up an app</summary>${form(desk, '/app', html`${passwordField(desk, 'app-password', hasPassword)}<button type="submit">Continue</button>`)}</details>`,
  )

const keyRow = (desk: Desk, { id, name, created_at, used_at }: SecurityKey, hasPassword: boolean): Html =>
  html`<li><div><b>${name}</b><span class="soft small">Added ${dayOf(created_at)}${used_at ? html`, last used ${timeOf(used_at)}` : html`, not used yet`}</span>
<details><summary>Remove</summary>${form(desk, `/keys/${id}/remove`, html`${passwordField(desk, `key-${id}`, hasPassword)}<button class="danger" type="submit">Remove this key</button>`)}</details></div></li>`

const keysPanel = (desk: Desk, { keys, hasPassword }: Shown): Html =>
  panel(
    'Passkeys and security keys',
    html`${
      keys.length
        ? html`<ul class="rows">${keys.map((key) => keyRow(desk, key, hasPassword))}</ul>`
        : html`<p>Your phone, your computer or a small key on your key ring can prove that it is you. Nobody can be tricked into giving it away to another site.</p>`
    }
<details><summary>Add a passkey or security key</summary>${form(
      desk,
      '/keys',
      html`<label for="key-name">Name for the key</label><input id="key-name" type="text" name="name" maxlength="60" placeholder="Blue key" autocomplete="off" required>
${passwordField(desk, 'key-password', hasPassword)}<button type="submit">Continue</button>`,
    )}</details>`,
  )

const backupPanel = (desk: Desk, { backupCodes, hasPassword }: Shown): Html =>
  panel(
    'Backup codes',
    html`<p>${backupCodes === 0 ? html`<strong class="bad">You have no backup codes left.</strong>` : sayOf('You have %s left.', countOf(backupCodes, 'backup code'))} Each signs you in once when you have lost your other second factors.</p>
<details><summary>Make ten new ones</summary>${form(desk, '/backup_codes', html`<p class="soft">The old ones are worth nothing afterwards.</p>${passwordField(desk, 'backup-password', hasPassword)}<button type="submit">Make new backup codes</button>`)}</details>`,
  )

const offPanel = (desk: Desk, { hasPassword, demanded }: Shown): Html =>
  panel(
    'Turn it off',
    html`<p>Removes the app, all keys and all backup codes.${demanded ? html` <strong>Your role demands a second factor; apps cannot act for you without one.</strong>` : ''}</p>
<details><summary>Turn the second factor off</summary>${form(desk, '/remove', html`${passwordField(desk, 'off-password', hasPassword)}<button class="danger" type="submit">Remove all second factors</button>`)}</details>`,
  )

const overview = async (desk: Desk, problem?: string): Promise<void> => {
  const shown = await factors(desk)
  const any = shown.codesSince !== null || shown.keys.length > 0
  desk.show({
    title: 'Second factor',
    ...(problem ? { problem } : {}),
    body: html`${any ? '' : html`<section class="card"><p>With a second factor, a stolen password is not enough to sign in as you.</p></section>`}
${appPanel(desk, shown)}${keysPanel(desk, shown)}${any ? html`${backupPanel(desk, shown)}${offPanel(desk, shown)}` : ''}`,
  })
}

/** Does something; what the person may mend is said on the overview. */
export const trying = async (desk: Desk, what: () => Promise<void>): Promise<void> => {
  try {
    await desk.limit({ viewerId: desk.person.viewer.id })
    await what()
  } catch (error) {
    if (!(error instanceof Failure) || !['unprocessable', 'conflict'].includes(error.code)) throw error
    await overview(desk, sayProblem(error.message))
  }
}

/** Backup codes are shown this once. */
export const showCodes = (desk: Desk, codes: readonly string[]): void =>
  desk.show({
    title: 'Backup codes',
    body: panel(
      'Keep these codes',
      html`<p>Print them or write them down, and keep them where nobody else looks. Each works once. <strong>They are shown only now.</strong></p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button" href="${HERE}">I have kept them</a></p>`,
    ),
  })

const setUp = async (desk: Desk, problem?: string): Promise<void> => {
  const { pending } = await factors(desk)
  if (!pending) return desk.done(HERE, 'Begin again: that took too long.')
  desk.show({
    title: 'Set up an app',
    ...(problem ? { problem } : {}),
    body: panel(
      'Scan, then type the code',
      html`<p>Open your authenticator app and scan this:</p>${qrCode(pending.address, 'QR code for your authenticator app')}
<p>Or type this secret into the app (time-based, 6 digits):<br><code class="secret">${pending.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${form(desk, '/app/confirm', html`<label for="code">Code that the app shows</label><input id="code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus><div class="row"><button type="submit">Turn it on</button><a class="button quiet" href="${HERE}">Cancel</a></div>`)}`,
    ),
  })
}

export const addSecondFactor = (settings: Settings): void => {
  settings.add('get', HERE, 'second-factor', (desk) => overview(desk))
  settings.add('get', `${HERE}/app`, 'second-factor', (desk) => setUp(desk))
  settings.add('post', `${HERE}/app`, 'second-factor', (desk, given) =>
    trying(desk, async () => {
      await desk.ctx.call(oneTimeCodeBegin, { session: desk.session, password: fieldOf(given, 'password') })
      await setUp(desk)
    }),
  )
  settings.add('post', `${HERE}/app/confirm`, 'second-factor', async (desk, given) => {
    await desk.limit({ viewerId: desk.person.viewer.id })
    const confirmed = await desk.ctx
      .call(oneTimeCodeConfirm, { session: desk.session, code: fieldOf(given, 'code', 100) })
      .catch((error) => {
        if (error instanceof Failure && error.code === 'unprocessable') return sayProblem(error.message)
        throw error
      })
    if (typeof confirmed === 'string') return setUp(desk, confirmed)
    if (confirmed.backupCodes === null) return desk.done(HERE, 'Signing in now asks for a code of your app.')
    showCodes(desk, confirmed.backupCodes)
  })
  settings.add('post', `${HERE}/backup_codes`, 'second-factor', (desk, given) =>
    trying(desk, async () => {
      const { backupCodes } = await desk.ctx.call(backupCodeRenew, {
        session: desk.session,
        password: fieldOf(given, 'password'),
      })
      showCodes(desk, backupCodes)
    }),
  )
  settings.add('post', `${HERE}/remove`, 'second-factor', (desk, given) =>
    trying(desk, async () => {
      await desk.ctx.call(secondFactorRemove, { session: desk.session, password: fieldOf(given, 'password') })
      desk.done(HERE, 'The second factor is off. Your password alone signs you in.')
    }),
  )
}
