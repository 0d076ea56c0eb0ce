/** Page of one public status for frames on other sites. The embedded page is the only page that may be framed. */
import { isId } from '@murmuration/contracts/kit'
import { showStatus } from '@murmuration/contracts/statuses'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type Pages, pageNotFound } from '../core/page-request.js'
import { alternate } from '../core/parts/open-graph.js'
import { statusArticle } from '../core/parts/status.js'
import { isOurs, mustBePublic, orPageNotFound, publicOnly } from '../core/public-data.js'
import { nameOf } from '../core/rich-text.js'

const show: Page = async (request) => {
  const { ctx, req, res } = request
  mustBePublic(request)
  const { username, status: id } = req.params as { username: string; status: string }
  if (!isId(id)) throw pageNotFound()
  const status = await orPageNotFound(ctx.call(showStatus, { id }))
  const { account } = status
  const isThere = publicOnly([status]).length > 0 && !account.suspended && isOurs(account) && status.reblog === null
  if (!isThere || account.username.toLowerCase() !== username.toLowerCase()) throw pageNotFound()
  sendPage(ctx, res, {
    title: t('Post by {account}', { account: nameOf(account) }),
    shape: 'embed',
    cache: SHARED,
    indexed: false,
    head: html`<link rel="canonical" href="${status.url ?? status.uri}"><base target="_blank">${alternate(status.uri)}`,
    body: statusArticle(status, { domain: ctx.site.localDomain, main: true }),
  })
}

export const addEmbed = (pages: Pages): void => pages.add('get', '/@:username/:status/embed', show)
