/** Public page and RSS feed of the latest statuses with a hashtag. */
import type { Status } from '@murmuration/contracts/entities'
import { checkTag, tagTimeline } from '@murmuration/contracts/statuses'
import { isValidTag } from '@murmuration/text'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { SHARED, sendPage } from '../core/layout.js'
import { type Page, type PageRequest, type Pages, pageNotFound } from '../core/page-request.js'
import { openGraph } from '../core/parts/open-graph.js'
import { statusArticle } from '../core/parts/status.js'
import { cursorIn, mustBePublic, orNull, orPageNotFound, publicOnly } from '../core/public-data.js'
import { RSS_SUFFIX, rssLink, sendRss } from './rss.js'

const SIZE = 20

/** The latest public posts with a hashtag. Throws 404 for a hashtag that is invalid or that staff made unusable. */
const postsWith = async ({ ctx }: PageRequest, name: string, cursor: string | null): Promise<Status[]> => {
  if (!isValidTag(name)) throw pageNotFound()
  const [statuses, checked] = await Promise.all([
    orPageNotFound(ctx.call(tagTimeline, { hashtag: name, limit: SIZE, ...(cursor ? { max_id: cursor } : {}) })),
    // Processes of an earlier release do not have this operation.
    orNull(ctx.call(checkTag, { name })),
  ])
  if (checked?.usable === false) throw pageNotFound()
  return statuses
}

/** Sends the RSS feed of a hashtag. */
const feed = async (request: PageRequest, name: string): Promise<void> => {
  const { ctx, res } = request
  const statuses = publicOnly(await postsWith(request, name, null))
  const link = `${ctx.site.origin}/tags/${encodeURIComponent(name)}`
  const description = t('Public posts tagged {name}', { name: `#${name}` })
  sendRss(ctx, res, { title: `#${name}`, description, link, self: link + RSS_SUFFIX }, statuses)
}

const show: Page = async (request) => {
  const { ctx, req, res } = request
  mustBePublic(request)
  const name = String(req.params.name ?? '')
  if (name.endsWith(RSS_SUFFIX)) return feed(request, name.slice(0, -RSS_SUFFIX.length))
  const cursor = cursorIn(request)
  if (cursor) await request.limit()
  const statuses = await postsWith(request, name, cursor)
  const { localDomain, origin } = ctx.site
  const path = `/tags/${encodeURIComponent(name)}`
  const older = statuses.length === SIZE ? statuses.at(-1)?.id : undefined
  const shown = publicOnly(statuses)
  sendPage(ctx, res, {
    title: `#${name}`,
    wide: true,
    cache: SHARED,
    indexed: shown.length > 0,
    head: html`${rssLink(origin + path + RSS_SUFFIX, `#${name}`)}${openGraph({
      type: 'website',
      title: `#${name}`,
      description: `${t('Public posts tagged {name}', { name: `#${name}` })} ${t('on {domain}', { domain: localDomain })}`,
      url: origin + path,
      site: ctx.policy.settings().site_title,
      image: `${origin}/icon-512.png`,
    })}`,
    body: html`<h1>#${name}</h1>
${shown.map((status) => statusArticle(status, { domain: localDomain }))}
${shown.length === 0 ? html`<p class="muted">${t('No public posts with this hashtag yet.')}</p>` : ''}
${older ? html`<p><a class="button quiet" rel="next" href="${path}?max_id=${older}">${t('Older posts')}</a></p>` : ''}`,
  })
}

export const addTag = (pages: Pages): void => pages.add('get', '/tags/:name', show)
