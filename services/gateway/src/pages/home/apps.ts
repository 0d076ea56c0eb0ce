/** Page with apps that were tested with this server, and the address to enter in them. */
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import type { Home } from './frame.js'

interface App {
  readonly name: string
  readonly url: string
  readonly about: Html
}

/**
 * Apps that were tested with this server; the test results are in `docs/tested-with.md`. It is a function, because the
 * texts are in the language of the request.
 */
const apps = (): readonly App[] => [
  {
    name: 'Elk',
    url: 'https://elk.zone/',
    about: html`${t('A web app. Choose to sign in, and enter the address of this server.')}`,
  },
  {
    name: 'toot',
    url: 'https://toot.bezdomni.net/',
    about: html`${t('An app for the terminal: {code}', { code: html`<code>toot login_browser</code>` })}`,
  },
]

export const addApps = (home: Home): void =>
  home.add('get', '/home/apps', async (request) => {
    const { webDomain, https } = request.ctx.site
    await request.show({
      title: t('Apps'),
      current: 'apps',
      body: html`<section class="card"><p>${t('These pages are made for the first steps. An app can do more: lists, filters, editing, drafts and notifications on your phone.')}</p>
<p>${t('Enter this address when an app asks for your server:')}</p><p><code class="big">${webDomain}</code></p>${
        https
          ? ''
          : html`<p class="flash">${t('This server has no public address yet. Apps on other devices and web apps on other sites cannot reach it.')}</p>`
      }</section>
<h2>${t('Tested with this server')}</h2><section class="card"><ul class="rows">${apps().map(
        ({ name, url, about }) =>
          html`<li><div><b><a href="${url}" rel="noopener">${name}</a></b><span class="muted">${about}</span></div></li>`,
      )}</ul></section>
<p class="muted">${t('Other apps for Mastodon use the same interface and should work as well.')}</p>`,
    })
  })
