/** The latest public statuses with a hashtag. */
import { tagTimeline } from '@murmuration/contracts/statuses'
import { isValidTag } from '@murmuration/text'
import { html } from './html.js'
import { sayOf } from './language.js'
import { SHARED, sendPage } from './layout.js'
import { openGraph } from './parts/open-graph.js'
import { statusArticle } from './parts/status.js'
import { cursorIn, mustBePublic, orNothing, publicOnly } from './public-data.js'
import { nothingHere, type Page, type Pages } from './visit.js'

const SIZE = 20

const show: Page = async (visit) => {
  const { ctx, req, res } = visit
  mustBePublic(visit)
  const name = String(req.params.name ?? '')
  if (!isValidTag(name)) throw nothingHere()
  const cursor = cursorIn(visit)
  if (cursor) await visit.limit()
  const statuses = await orNothing(
    ctx.call(tagTimeline, { hashtag: name, limit: SIZE, ...(cursor ? { max_id: cursor } : {}) }),
  )
  const { localDomain, origin } = ctx.site
  const path = `/tags/${encodeURIComponent(name)}`
  const older = statuses.length === SIZE ? statuses.at(-1)?.id : undefined
  const shown = publicOnly(statuses)
  sendPage(ctx, res, {
    title: `#${name}`,
    wide: true,
    cache: SHARED,
    indexed: shown.length > 0,
    head: openGraph({
      type: 'website',
      title: `#${name}`,
      description: `${sayOf('Public posts tagged %s', `#${name}`)} ${sayOf('on %s', localDomain)}`,
      url: origin + path,
      site: ctx.policy.settings().site_title,
      image: `${origin}/icon-512.png`,
    }),
    body: html`<h1>#${name}</h1>
${shown.map((status) => statusArticle(status, { domain: localDomain }))}
${shown.length === 0 ? html`<p class="soft">No public posts with this hashtag yet.</p>` : ''}
${older ? html`<p><a class="button quiet" rel="next" href="${path}?max_id=${older}">Older posts</a></p>` : ''}`,
  })
}

export const addTag = (pages: Pages): void => pages.add('get', '/tags/:name', show)
