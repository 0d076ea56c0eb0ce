/** Overview page of the settings: the signed-in account, its state, and all settings pages. */
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { obstacleOf } from '../core/own-account.js'
import type { Settings } from '../core/settings-frame.js'
import { sectionsOf } from '../core/settings-sections.js'

export const addSettingsHome = (settings: Settings): void =>
  settings.add('get', '/settings', 'home', ({ ctx, user, show }) => {
    const { localDomain, webDomain } = ctx.site
    const why = obstacleOf(user.state)
    show({
      title: t('Settings'),
      body: html`<section class="card"><p class="who"><img class="avatar" src="${user.avatar}" alt="" width="46" height="46"><span><b>${user.display_name || user.username}</b><span class="muted">@${user.username}@${localDomain}</span></span></p>
${
  why
    ? html`<p class="bad" role="alert">${t(why)}</p>${
        user.state === 'disabled' || user.state === 'suspended'
          ? html`<p class="row"><a class="button" href="/settings/strikes">${t('View the decision or appeal')}</a></p>`
          : ''
      }`
    : html`<p>${t('You are signed in. Change your display name, avatar and bio in any Mastodon app. Its server address is {domain}.', { domain: html`<code>${webDomain}</code>` })}</p><p class="row"><a class="button quiet" href="/@${user.username}">${t('Your public profile')}</a></p>`
}</section>
<section class="card"><ul class="rows">${sectionsOf(ctx.config)
        .slice(1)
        .map(
          ({ path, label, about }) =>
            html`<li><div><b><a href="${path}">${t(label)}</a></b><span class="muted">${t(about)}</span></div></li>`,
        )}</ul></section>`,
    })
  })
