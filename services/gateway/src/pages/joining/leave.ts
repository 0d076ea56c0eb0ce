/** Settings page for deleting the account. */
import { beginAccountRemoval } from '@murmuration/contracts/accounts'
import { problemsOf } from '../core/field.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

const show = (context: SettingsContext, problem?: string): void => {
  const { ctx, user, csrfField } = context
  context.show({
    title: t('Delete account'),
    ...(problem ? { problem } : {}),
    body: panel(
      `@${user.username}@${ctx.site.localDomain}`,
      html`<p>${t('Everything you wrote and uploaded here is deleted, and all your relations end. Other servers are asked to delete their copies; not all of them do.')}</p>
<p>${t('Your username will remain unavailable.')} <strong>${t('This cannot be undone.')}</strong></p>
<p class="muted">${t('You can {link} first.', { link: html`<a href="/settings/export">${t('take your data with you')}</a>` })}</p>
<form method="post" action="/settings/delete">${csrfField}
<label for="password">${t('Your password')}</label><input id="password" type="password" name="password" autocomplete="current-password">
<button class="danger" type="submit">${t('Delete account')}</button></form>`,
    ),
  })
}

export const addLeave = (settings: Settings, sessions: Sessions): void => {
  settings.add('get', '/settings/delete', 'delete', (context) => show(context))
  settings.add('post', '/settings/delete', 'delete', async (context, form) => {
    const { ctx, req, res } = context
    await context.limit({ viewerId: context.user.viewer.id })
    try {
      await ctx.call(beginAccountRemoval, { session: context.session, password: fieldOf(form, 'password') })
    } catch (error) {
      return show(context, problemsOf(error).join(' '))
    }
    await sessions.end(req, res)
    sessions.flash(res, t('Your account has been deleted.'))
    redirect(res, '/auth/sign_in', 303)
  })
}
