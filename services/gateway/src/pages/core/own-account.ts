/** Settings page of the user's login: account state, e-mail address, password, and sign-out. */
import { changeEmail, changePassword, emailState } from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { problemsOf, userField } from './field.js'
import { type Html, html } from './html.js'
import { t } from './language.js'
import type { Sessions } from './session.js'
import { panel, type Settings, type SettingsContext } from './settings-frame.js'

/** Texts about why a signed-in user may not act, by account state. */
const OBSTACLES = {
  unconfirmed: msg('Your e-mail address is not confirmed yet. Open the link in the e-mail that we sent to you.'),
  unapproved: msg('Your request is pending review by the moderators of this server.'),
  disabled: msg('Your account is disabled. Contact the moderators of this server.'),
  suspended: msg('Your account is suspended. Contact the moderators of this server.'),
  factor: msg('Your account requires two-factor authentication. Add a second factor in the settings first.'),
} as const satisfies Readonly<Record<string, Message>>

/**
 * Text about why a user in this state may not act; undefined for `ok`. For states that only a newer release knows, the
 * text about disabled accounts.
 */
export const obstacleOf = (state: string): Message | undefined =>
  state === 'ok' ? undefined : ((OBSTACLES as Readonly<Record<string, Message>>)[state] ?? OBSTACLES.disabled)

const emailPanel = (csrfField: Html, state: { email: string; unconfirmed: string | null; confirmed: boolean }): Html =>
  panel(
    t('E-mail address'),
    html`<p>${t('E-mails are sent to {email}.', { email: html`<strong>${state.email}</strong>` })}</p>${
      state.unconfirmed
        ? html`<p class="muted">${t('Pending change to {address}. Open the link in the e-mail sent to that address.', { address: html`<strong>${state.unconfirmed}</strong>` })}</p>`
        : ''
    }<form method="post" action="/auth/edit">${csrfField}<input type="hidden" name="what" value="email">
<label for="email">${t('New address')}</label><input id="email" type="email" name="user[email]" maxlength="320" autocomplete="email" required>
${state.confirmed ? html`<label for="email-password">${t('Your password')}</label><input id="email-password" type="password" name="user[current]" autocomplete="current-password">` : ''}
<button type="submit">${t('Change e-mail address')}</button></form>`,
  )

const passwordPanel = (csrfField: Html): Html =>
  panel(
    t('Password'),
    html`<form method="post" action="/auth/edit">${csrfField}<input type="hidden" name="what" value="password">
<label for="current">${t('Current password')}</label><input id="current" type="password" name="user[current]" autocomplete="current-password" required>
<label for="password">${t('New password')}</label><input id="password" type="password" name="user[password]" minlength="8" autocomplete="new-password" aria-describedby="password-rule" required>
<p id="password-rule" class="muted small">${t('Use 8 to 128 characters, and no common password.')}</p>
<p class="muted small">${t('You will be signed out everywhere else, and apps must be authorized again.')}</p>
<button type="submit">${t('Change password')}</button></form><p><a href="/auth/password/new">${t('Forgot your password?')}</a></p>`,
  )

const show = async (context: SettingsContext, problem?: string): Promise<void> => {
  const { ctx, user, csrfField, session } = context
  const why = obstacleOf(user.state)
  const state = await ctx.call(emailState, { session })
  context.show({
    title: t('E-mail and password'),
    ...(problem ? { problem } : {}),
    body: html`${panel(
      `@${user.username}@${ctx.site.localDomain}`,
      html`${why ? html`<p class="bad" role="alert">${t(why)}</p>${user.state === 'unconfirmed' ? html`<p><a href="/auth/setup">${t('Resend the e-mail')}</a></p>` : ''}` : html`<p>${t('You are signed in.')}</p>`}
<form method="post" action="/auth/sign_out">${csrfField}<div class="row"><button class="quiet" type="submit">${t('Sign out')}</button></div></form>`,
    )}${emailPanel(csrfField, state)}${ctx.config.externalOnly ? '' : passwordPanel(csrfField)}`,
  })
}

const changeEmailAddress = async (
  context: SettingsContext,
  form: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const { state } = await context.ctx.call(changeEmail, {
    session: context.session,
    email: userField(form, 'email', 1_000),
    password: userField(form, 'current', 2_000),
  })
  return state === 'same'
    ? t('This is already your e-mail address.')
    : t('An e-mail with a confirmation link was sent to the new address.')
}

export const addOwnAccount = (settings: Settings, sessions: Sessions): void => {
  settings.add('get', '/auth/edit', 'account', (context) => show(context))
  settings.add('post', '/auth/edit', 'account', async (context, form) => {
    await context.limit({ viewerId: context.user.viewer.id })
    try {
      if (form.what === 'email') return context.done('/auth/edit', await changeEmailAddress(context, form))
      const { session } = await context.ctx.call(changePassword, {
        session: context.session,
        current: userField(form, 'current', 2_000),
        password: userField(form, 'password'),
      })
      sessions.begin(context.res, session)
      context.done('/auth/edit', t('Your password has been changed.'))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await show(context, problemsOf(error).join(' '))
    }
  })
}
