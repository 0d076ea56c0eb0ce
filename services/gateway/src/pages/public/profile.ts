/** Public profiles of local accounts, and redirects to the profiles of remote accounts. */
import type { Account } from '@murmuration/contracts/entities'
import { accountTimeline } from '@murmuration/contracts/statuses'
import { excerpt, htmlToPlainText, parseHandle, webUrl } from '@murmuration/text'
import { PROFILE_PARTS } from '@murmuration/text/profile-part'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type Pages, pageNotFound } from '../core/page-request.js'
import { alternate, alternateHeader, openGraph } from '../core/parts/open-graph.js'
import { statusArticle } from '../core/parts/status.js'
import { dayOf } from '../core/parts/time.js'
import { accountByHandle, cursorIn, isOurs, mustBePublic, orPageNotFound, publicOnly } from '../core/public-data.js'
import { redirect } from '../core/redirect.js'
import { fieldText, nameOf, plainText, richText } from '../core/rich-text.js'
import { sendFeed } from './profile-feed.js'
import { RSS_SUFFIX, rssLink } from './rss.js'

const SIZE = 20
const PINNED = 5

const fieldsOf = (account: Account): Html | '' =>
  account.fields.length === 0
    ? ''
    : html`<dl class="fields">${account.fields.map(
        ({ name, value, verified_at }) =>
          html`<div${verified_at ? html` class="verified"` : ''}><dt>${plainText(name, account.emojis)}</dt><dd>${fieldText(value, account.emojis)}${verified_at ? html` <span class="badge">${t('verified')}</span>` : ''}</dd></div>`,
      )}</dl>`

const badges = (account: Account): Html =>
  html`${account.bot ? html` <span class="badge">${t('automated')}</span>` : ''}${account.locked ? html` <span class="badge">${t('approves followers')}</span>` : ''}${account.memorial ? html` <span class="badge">${t('in memoriam')}</span>` : ''}`

/** Counts of a profile that are above zero and not hidden by the account, and the date of its sign-up. */
const numbers = (account: Account): Html =>
  html`<ul class="numbers">${[
    account.statuses_count > 0 && t('{count, plural, one {# post} other {# posts}}', { count: account.statuses_count }),
    !account.hide_collections &&
      account.following_count > 0 &&
      t('{count, plural, other {# following}}', { count: account.following_count }),
    !account.hide_collections &&
      account.followers_count > 0 &&
      t('{count, plural, one {# follower} other {# followers}}', { count: account.followers_count }),
  ].map((count) =>
    count === false ? '' : html`<li>${count}</li>`,
  )}<li class="muted">${t('since {time}', { time: dayOf(account.created_at) })}</li></ul>`

/** Header of a profile page. `named` is false if the heading of the page contains the name. `actions` are shown below the counts. */
export const profileCard = (
  account: Account,
  domain: string,
  { named = true, actions = '' }: { named?: boolean; actions?: Html | '' } = {},
): Html => {
  const name = html`${plainText(nameOf(account), account.emojis)}${badges(account)}`
  return html`<section class="card hero person h-card">
<img src="${account.header_static}" alt="${account.header_description}" width="1500" height="500">
<div><img class="avatar u-photo" src="${account.avatar_static}" alt="${account.avatar_description}" width="88" height="88">
${named ? html`<h1 class="p-name">${name}</h1>` : ''}
<p class="muted">@${account.acct.includes('@') ? account.acct : `${account.acct}@${domain}`}</p>
${account.moved ? html`<p role="note"><strong>${t('Moved to {link}', { link: html`<a href="${account.moved.url}">@${account.moved.acct}</a>` })}</strong></p>` : ''}
<div class="content p-note">${richText(account.note, account.emojis)}</div>
${fieldsOf(account)}${numbers(account)}${actions}</div></section>`
}

const show: Page = async (request) => {
  const { ctx, res, req } = request
  mustBePublic(request)
  const name = String(req.params.username ?? '')
  if (name.endsWith(RSS_SUFFIX))
    return sendFeed(request, name.slice(0, -RSS_SUFFIX.length), '', { exclude_replies: true })
  const handle = parseHandle(name)
  if (!handle) throw pageNotFound()
  const { localDomain, handleDomains, origin } = ctx.site
  if (handle.domain !== null && handleDomains.has(handle.domain)) return redirect(res, `/@${handle.username}`, 301)
  const account = await accountByHandle(
    request,
    handle.domain ? `${handle.username}@${handle.domain}` : handle.username,
  )
  if (!isOurs(account)) {
    const url = webUrl(account.url)
    if (url === null) throw pageNotFound()
    return redirect(res, url)
  }
  const cursor = cursorIn(request)
  if (cursor) await request.limit()
  const list = { id: account.id, exclude_replies: true }
  const [pinned, recent] = await Promise.all([
    cursor ? [] : orPageNotFound(ctx.call(accountTimeline, { ...list, pinned: true, limit: PINNED })),
    orPageNotFound(ctx.call(accountTimeline, { ...list, limit: SIZE, ...(cursor ? { max_id: cursor } : {}) })),
  ])
  const older = recent.length === SIZE ? recent.at(-1)?.id : undefined
  const about = excerpt(htmlToPlainText(account.note), 300)
  const title = `${nameOf(account)} (@${account.username}@${localDomain})`
  const shown = publicOnly(recent).filter((status) => !pinned.some((one) => one.id === status.id))
  res.setHeader('Vary', 'Accept')
  res.setHeader('Link', alternateHeader(account.uri))
  sendPage(ctx, res, {
    title,
    wide: true,
    cache: SHARED,
    indexed: !account.noindex && !account.limited,
    head: html`${openGraph({
      type: 'profile',
      title,
      description:
        about ||
        (account.statuses_count > 0
          ? `${t('{count, plural, one {# post} other {# posts}}', { count: account.statuses_count })} ${t('on {domain}', { domain: localDomain })}`
          : t('Public posts from {username}', { username: `@${account.username}@${localDomain}` })),
      url: account.url,
      site: ctx.policy.settings().site_title,
      image: account.avatar_static,
      imageAlt: account.avatar_description,
      more: [['profile:username', `${account.username}@${localDomain}`]],
    })}${alternate(account.uri)}${rssLink(`${origin}/@${account.username}${RSS_SUFFIX}`, title)}<link rel="me" href="${origin}/@${account.username}">`,
    body: html`${profileCard(account, localDomain)}
<h2>${cursor ? html`${t('Older posts')}` : html`${t('Posts')}`}</h2>
${publicOnly(pinned).map((status) => statusArticle(status, { domain: localDomain, above: t('Pinned') }))}
${shown.map((status) => statusArticle(status, { domain: localDomain }))}
${shown.length + pinned.length === 0 ? html`<p class="muted">${t('No public posts here yet.')}</p>` : ''}
${older ? html`<p><a class="button quiet" rel="next" href="/@${account.username}?max_id=${older}">${t('Older posts')}</a></p>` : ''}`,
  })
}

/** Redirects from the pages of Mastodon below a profile, so that links to them from elsewhere work. */
const toProfile: Page = ({ req, res }) => {
  res.setHeader('Vary', 'Accept')
  redirect(res, `/@${encodeURIComponent(String(req.params.username ?? ''))}`)
}

export const addProfile = (pages: Pages): void => {
  pages.add('get', '/@:username', show)
  for (const part of PROFILE_PARTS) pages.add('get', `/@:username/${part}`, toProfile)
}
