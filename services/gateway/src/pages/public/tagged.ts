/** Public statuses of a local account with a hashtag: the page that featured hashtags link to. */
import { accountTimeline } from '@murmuration/contracts/statuses'
import { isValidTag, parseHandle } from '@murmuration/text'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type Pages, pageNotFound } from '../core/page-request.js'
import { statusArticle } from '../core/parts/status.js'
import { accountByHandle, cursorIn, isOurs, mustBePublic, orPageNotFound, publicOnly } from '../core/public-data.js'
import { redirect } from '../core/redirect.js'
import { nameOf } from '../core/rich-text.js'
import { RSS_SUFFIX, rssLink } from './rss.js'

const SIZE = 20

const show: Page = async (request) => {
  const { ctx, req, res } = request
  mustBePublic(request)
  const tag = String(req.params.tag ?? '')
  const handle = parseHandle(String(req.params.username ?? ''))
  if (!handle || !isValidTag(tag)) throw pageNotFound()
  const account = await accountByHandle(
    request,
    handle.domain ? `${handle.username}@${handle.domain}` : handle.username,
  )
  // Remote accounts have no public pages on this server. For them, the page redirects to the page of the hashtag.
  if (!isOurs(account)) return redirect(res, `/tags/${encodeURIComponent(tag)}`)
  const cursor = cursorIn(request)
  if (cursor) await request.limit()
  const found = await orPageNotFound(
    ctx.call(accountTimeline, {
      id: account.id,
      tagged: tag,
      exclude_reblogs: true,
      limit: SIZE,
      ...(cursor ? { max_id: cursor } : {}),
    }),
  )
  const { localDomain, origin } = ctx.site
  const path = `/@${account.username}/tagged/${encodeURIComponent(tag)}`
  const older = found.length === SIZE ? found.at(-1)?.id : undefined
  const shown = publicOnly(found)
  sendPage(ctx, res, {
    title: `#${tag} ${t('by {account}', { account: nameOf(account) })} (@${account.username}@${localDomain})`,
    wide: true,
    cache: SHARED,
    indexed: false,
    head: rssLink(origin + path + RSS_SUFFIX, `#${tag} (@${account.username}@${localDomain})`),
    body: html`<h1>#${tag} <span class="muted">${t('by {link}', { link: html`<a href="${account.url}">@${account.username}</a>` })}</span></h1>
${shown.map((status) => statusArticle(status, { domain: localDomain }))}
${shown.length === 0 ? html`<p class="muted">${t('No public posts under this hashtag yet.')}</p>` : ''}
${older ? html`<p><a class="button quiet" rel="next" href="${path}?max_id=${older}">${t('Older posts')}</a></p>` : ''}`,
  })
}

export const addTagged = (pages: Pages): void => pages.add('get', '/@:username/tagged/:tag', show)
