/** Public page of a collection of accounts. */

import { showCollection } from '@murmuration/contracts/accounts'
import type { Account } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { dotted, type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type Pages, pageNotFound } from '../core/page-request.js'
import { openGraph } from '../core/parts/open-graph.js'
import { mustBePublic, orPageNotFound } from '../core/public-data.js'

const accountRow = (account: Account): Html =>
  html`<li><div><a class="who" href="${account.url}" rel="noopener"><img class="avatar" src="${account.avatar_static}" alt="" width="46" height="46" loading="lazy"><span><b>${account.display_name || account.username}</b><span class="muted">@${account.acct}</span></span></a></div></li>`

const show: Page = async (request) => {
  const { ctx, req, res } = request
  mustBePublic(request)
  const id = String(req.params.id ?? '')
  if (!isId(id)) throw pageNotFound()
  const { collection, accounts } = await orPageNotFound(ctx.call(showCollection, { id }))
  if (!collection.local) throw pageNotFound()
  const owner = accounts.find((one) => one.id === collection.account_id)
  const members = new Set(collection.items.flatMap((item) => item.account_id ?? []))
  const shown = accounts.filter((one) => members.has(one.id))
  const handle = `@${owner?.acct ?? ''}`
  const words =
    collection.description ||
    (shown.length > 0
      ? `${t('{count, plural, one {# person} other {# people}}', { count: shown.length })} ${t('picked by {handle}', { handle })}`
      : t('Picked by {link}', { link: handle }))
  sendPage(ctx, res, {
    title: collection.name,
    wide: true,
    cache: SHARED,
    indexed: collection.discoverable,
    head: openGraph({
      type: 'website',
      title: collection.name,
      description: words,
      url: `${ctx.site.origin}/collections/${id}`,
      site: ctx.policy.settings().site_title,
      image: owner?.avatar ?? `${ctx.site.origin}/icon-512.png`,
    }),
    body: html`<section class="card"><h1>${collection.name}</h1>${collection.description ? html`<p>${collection.description}</p>` : ''}
<p class="muted small">${dotted(
      owner && t('Picked by {link}', { link: html`<a href="${owner.url}">@${owner.acct}</a>` }),
      collection.tag && html`<a href="${collection.tag.url}">#${collection.tag.name}</a>`,
      collection.sensitive && t('may contain sensitive content'),
    )}</p></section>
<section class="card">${shown.length ? html`<ul class="rows">${shown.map(accountRow)}</ul>` : html`<p class="muted">${t('Nobody is in this collection yet.')}</p>`}</section>`,
  })
}

export const addCollection = (pages: Pages): void => pages.add('get', '/collections/:id', show)
