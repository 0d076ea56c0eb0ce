/** Settings pages of two-factor authentication: authenticator app, passkeys and security keys, backup codes. */
import {
  beginOneTimeCode,
  confirmOneTimeCode,
  removeSecondFactor,
  renewBackupCode,
  type SecurityKey,
  showSecondFactor,
} from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { failureMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { qrCode } from '../core/parts/qr-code.js'
import { dayOf, timeOf } from '../core/parts/time.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

export const HERE = '/settings/second_factor'
type Shown = Awaited<ReturnType<typeof factors>>

const factors = ({ ctx, session }: SettingsContext) => ctx.call(showSecondFactor, { session })

/** Password field with the username for password managers. Users without a password need a recent sign-in instead. */
export const passwordField = ({ user }: SettingsContext, id: string, hasPassword: boolean): Html =>
  hasPassword
    ? html`<input type="text" name="username" value="${user.username}" autocomplete="username" readonly hidden><label for="${id}">${t('Your password')}</label><input id="${id}" type="password" name="password" autocomplete="current-password" required>`
    : html`<input type="hidden" name="password" value="">`

const form = (context: SettingsContext, path: string, body: Html): Html =>
  html`<form method="post" action="${HERE}${path}">${context.csrfField}${body}</form>`

const appPanel = (context: SettingsContext, { codesSince, hasPassword }: Shown): Html =>
  panel(
    t('Authenticator app'),
    codesSince
      ? html`<p>${t('Your authenticator app was set up on {date}. Signing in requires a code after the password.', { date: dayOf(codesSince) })}</p>`
      : html`<p>${t('An authenticator app on your phone or computer generates codes. Signing in requires a code after the password.')}</p>
<details><summary>${t('Set up an app')}</summary>${form(context, '/app', html`${passwordField(context, 'app-password', hasPassword)}<button type="submit">${t('Continue')}</button>`)}</details>`,
  )

const keyRow = (context: SettingsContext, { id, name, created_at, used_at }: SecurityKey, hasPassword: boolean): Html =>
  html`<li><div><b>${name}</b><span class="muted small">${used_at ? t('Added {date}, last used {used}', { date: dayOf(created_at), used: timeOf(used_at) }) : t('Added {date}, not used yet', { date: dayOf(created_at) })}</span>
<details><summary>${t('Remove')}</summary>${form(context, `/keys/${id}/remove`, html`${passwordField(context, `key-${id}`, hasPassword)}<button class="danger" type="submit">${t('Remove this key')}</button>`)}</details></div></li>`

const keysPanel = (context: SettingsContext, { keys, hasPassword }: Shown): Html =>
  panel(
    t('Passkeys and security keys'),
    html`${
      keys.length
        ? html`<ul class="rows">${keys.map((key) => keyRow(context, key, hasPassword))}</ul>`
        : html`<p>${t('Sign in with your phone, your computer or a hardware key. Phishing sites cannot use these keys.')}</p>`
    }
<details><summary>${t('Add a passkey or security key')}</summary>${form(
      context,
      '/keys',
      html`<label for="key-name">${t('Name for the key')}</label><input id="key-name" type="text" name="name" maxlength="60" placeholder="${t('Blue key')}" autocomplete="off" required>
${passwordField(context, 'key-password', hasPassword)}<button type="submit">${t('Continue')}</button>`,
    )}</details>`,
  )

const backupPanel = (context: SettingsContext, { backupCodes, hasPassword }: Shown): Html =>
  panel(
    t('Backup codes'),
    html`<p>${backupCodes === 0 ? html`<strong class="bad">${t('You have no backup codes left.')}</strong>` : t('You have {count, plural, one {# backup code} other {# backup codes}} left.', { count: backupCodes })} ${t('Use one to sign in if you lose access to your other second factors. Each works once.')}</p>
<details><summary>${t('Generate new backup codes')}</summary>${form(context, '/backup_codes', html`<p class="muted">${t('Your old codes will stop working.')}</p>${passwordField(context, 'backup-password', hasPassword)}<button type="submit">${t('Generate backup codes')}</button>`)}</details>`,
  )

const offPanel = (context: SettingsContext, { hasPassword, demanded }: Shown): Html =>
  panel(
    t('Disable two-factor authentication'),
    html`<p>${t('This removes the authenticator app, all keys and all backup codes.')}${demanded ? html` <strong>${t('Your role requires two-factor authentication. Apps cannot access your account without it.')}</strong>` : ''}</p>
<details><summary>${t('Disable')}</summary>${form(context, '/remove', html`${passwordField(context, 'off-password', hasPassword)}<button class="danger" type="submit">${t('Remove all second factors')}</button>`)}</details>`,
  )

const overview = async (context: SettingsContext, problem?: string): Promise<void> => {
  const shown = await factors(context)
  const any = shown.codesSince !== null || shown.keys.length > 0
  context.show({
    title: t('Two-factor authentication'),
    ...(problem ? { problem } : {}),
    body: html`${any ? '' : html`<section class="card"><p>${t('With two-factor authentication, a stolen password is not enough to sign in to your account.')}</p></section>`}
${appPanel(context, shown)}${keysPanel(context, shown)}${any ? html`${backupPanel(context, shown)}${offPanel(context, shown)}` : ''}`,
  })
}

/**
 * Counts the request against the rate limits and runs `work`. Errors that the user can correct are shown on the
 * overview page; other errors are rethrown.
 */
export const withProblems = async (context: SettingsContext, work: () => Promise<void>): Promise<void> => {
  try {
    await context.limit({ viewerId: context.user.viewer.id })
    await work()
  } catch (error) {
    if (!(error instanceof Failure) || !['unprocessable', 'conflict'].includes(error.code)) throw error
    await overview(context, failureMessage(error))
  }
}

/** Shows new backup codes. Backup codes cannot be shown again, because only their hashes are stored. */
export const showCodes = (context: SettingsContext, codes: readonly string[]): void =>
  context.show({
    title: t('Backup codes'),
    body: panel(
      t('Save your backup codes'),
      html`<p>${t('Keep the backup codes safe, for example by printing them. Each works once.')} <strong>${t('They will not be shown again.')}</strong></p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button" href="${HERE}">${t('I have saved them')}</a></p>`,
    ),
  })

const setUp = async (context: SettingsContext, problem?: string): Promise<void> => {
  const { pending } = await factors(context)
  if (!pending) return context.done(HERE, t('The set-up has expired. Start again.'))
  context.show({
    title: t('Set up an app'),
    ...(problem ? { problem } : {}),
    body: panel(
      t('Scan the QR code'),
      html`<p>${t('Scan this QR code with your authenticator app:')}</p>${qrCode(pending.address, t('QR code for your authenticator app'))}
<p>${t('If you cannot scan the QR code, enter this secret (time-based, 6 digits):')}<br><code class="secret">${pending.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${form(context, '/app/confirm', html`<label for="code">${t('Two-factor code')}</label><input id="code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus><div class="row"><button type="submit">${t('Enable')}</button><a class="button quiet" href="${HERE}">${t('Cancel')}</a></div>`)}`,
    ),
  })
}

export const addSecondFactor = (settings: Settings): void => {
  settings.add('get', HERE, 'second-factor', (context) => overview(context))
  settings.add('get', `${HERE}/app`, 'second-factor', (context) => setUp(context))
  settings.add('post', `${HERE}/app`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      await context.ctx.call(beginOneTimeCode, { session: context.session, password: fieldOf(given, 'password') })
      await setUp(context)
    }),
  )
  settings.add('post', `${HERE}/app/confirm`, 'second-factor', async (context, given) => {
    await context.limit({ viewerId: context.user.viewer.id })
    const confirmed = await context.ctx
      .call(confirmOneTimeCode, { session: context.session, code: fieldOf(given, 'code', 100) })
      .catch((error) => {
        if (error instanceof Failure && error.code === 'unprocessable') return failureMessage(error)
        throw error
      })
    if (typeof confirmed === 'string') return setUp(context, confirmed)
    if (confirmed.backupCodes === null) return context.done(HERE, t('The authenticator app is enabled.'))
    showCodes(context, confirmed.backupCodes)
  })
  settings.add('post', `${HERE}/backup_codes`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      const { backupCodes } = await context.ctx.call(renewBackupCode, {
        session: context.session,
        password: fieldOf(given, 'password'),
      })
      showCodes(context, backupCodes)
    }),
  )
  settings.add('post', `${HERE}/remove`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      await context.ctx.call(removeSecondFactor, { session: context.session, password: fieldOf(given, 'password') })
      context.done(HERE, t('Two-factor authentication is disabled.'))
    }),
  )
}
