/** Overview page of the settings: the signed-in account, its state, and all settings pages. */
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { hindranceOf } from '../core/own-account.js'
import type { Settings } from '../core/settings-frame.js'
import { sectionsOf } from '../core/settings-sections.js'

export const addSettingsHome = (settings: Settings): void =>
  settings.add('get', '/settings', 'home', ({ ctx, person, show }) => {
    const { localDomain } = ctx.site
    const why = hindranceOf(person.state)
    show({
      title: t('Settings'),
      body: html`<section class="card"><p class="who"><img class="avatar" src="${person.avatar}" alt="" width="46" height="46"><span><b>${person.display_name || person.username}</b><span class="soft">@${person.username}@${localDomain}</span></span></p>
${
  why
    ? html`<p class="bad" role="alert">${t(why)}</p>${
        person.state === 'disabled' || person.state === 'suspended'
          ? html`<p class="row"><a class="button" href="/settings/strikes">${t('View the decision or appeal')}</a></p>`
          : ''
      }`
    : html`<p>${t('You are signed in. Change your display name, avatar and bio in any Mastodon app. Its server address is {domain}.', { domain: html`<code>${localDomain}</code>` })}</p><p class="row"><a class="button quiet" href="/@${person.username}">${t('Your public profile')}</a></p>`
}</section>
<section class="card"><ul class="rows">${sectionsOf(ctx.config)
        .slice(1)
        .map(
          ({ path, label, about }) =>
            html`<li><div><b><a href="${path}">${t(label)}</a></b><span class="soft">${t(about)}</span></div></li>`,
        )}</ul></section>`,
    })
  })
