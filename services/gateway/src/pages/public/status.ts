/** Public page of a status with its thread. */

import type { Status } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { showStatus, showThread } from '@murmuration/contracts/statuses'
import { excerpt, webUrl } from '@murmuration/text'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type Pages, pageNotFound } from '../core/page-request.js'
import { alternate, alternateHeader, oembedLink, openGraph } from '../core/parts/open-graph.js'
import { shownText, statusArticle } from '../core/parts/status.js'
import { mustBePublic, orNull, orPageNotFound, publicOnly } from '../core/public-data.js'
import { redirect } from '../core/redirect.js'
import { nameOf } from '../core/rich-text.js'

/** Description of a status for link previews: content warning, else the start of the text, else the descriptions of media. */
const summaryOf = (status: Status): string =>
  status.spoiler_text
    ? `CW: ${excerpt(status.spoiler_text, 280)}`
    : excerpt(shownText(status), 300) || status.media_attachments.map((media) => media.description ?? '').join(' ')

/** The first media preview of a status, for link previews. Undefined for sensitive statuses and those with a content warning. */
const pictureOf = (status: Status) =>
  status.sensitive || status.spoiler_text
    ? undefined
    : status.media_attachments.find((media) => media.type !== 'audio' && media.preview_url !== null)

const show: Page = async (request) => {
  const { ctx, req, res } = request
  mustBePublic(request)
  const { username, status: id } = req.params as { username: string; status: string }
  if (!isId(id)) throw pageNotFound()
  const status = await orPageNotFound(ctx.call(showStatus, { id }))
  const { account } = status
  if (publicOnly([status]).length === 0 || account.suspended) throw pageNotFound()
  if (account.acct.toLowerCase() !== username.toLowerCase()) throw pageNotFound()
  const elsewhere = status.reblog ?? (account.acct.includes('@') ? status : null)
  if (elsewhere) {
    const url = webUrl(elsewhere.url)
    if (url === null) throw pageNotFound()
    return redirect(res, url)
  }
  const { localDomain } = ctx.site
  const thread = (await orNull(ctx.call(showThread, { id }))) ?? { ancestors: [], descendants: [] }
  const title = `${nameOf(account)}: ${excerpt(summaryOf(status), 80) || t('a post')}`
  const picture = pictureOf(status)
  const ancestors = publicOnly(thread.ancestors)
  const article = (one: Status, previous: string | undefined, main = false) =>
    statusArticle(one, { domain: localDomain, main, previous: previous ?? null })
  res.setHeader('Vary', 'Accept')
  res.setHeader('Link', alternateHeader(status.uri))
  sendPage(ctx, res, {
    title,
    wide: true,
    cache: SHARED,
    indexed: !account.noindex && !account.limited && status.visibility === 'public',
    head: html`${openGraph({
      type: 'article',
      title: `${nameOf(account)} (@${account.username}@${localDomain})`,
      description: summaryOf(status),
      url: status.url ?? status.uri,
      site: ctx.policy.settings().site_title,
      image: picture?.preview_url ?? account.avatar_static,
      imageAlt: picture?.description ?? account.avatar_description,
      large: picture !== undefined,
      more: [
        ['article:published_time', status.created_at],
        ...(status.edited_at ? [['article:modified_time', status.edited_at] as const] : []),
        ['profile:username', `${account.username}@${localDomain}`],
      ],
    })}${alternate(status.uri)}${oembedLink(ctx.site.origin, status.url ?? status.uri)}`,
    body: html`${ancestors.map((one, i) => article(one, ancestors[i - 1]?.id))}
<h1 class="visually-hidden">${t('Post by {account}', { account: nameOf(account) })}</h1>
${article(status, ancestors.at(-1)?.id, true)}
${publicOnly(thread.descendants).map((one, i, all) => article(one, (all[i - 1] ?? status).id))}`,
  })
}

export const addStatus = (pages: Pages): void => pages.add('get', '/@:username/:status', show)
