/** Home timeline with the form for a new post, and the list of posts that other pages share. */
import type { FilterContext, Status } from '@murmuration/contracts/entities'
import { homeTimeline } from '@murmuration/contracts/statuses'
import type { ListPage } from '../core/call-api.js'
import { type Html, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { type ArticleFrame, articles } from './article.js'
import { defaultsOf } from './compose.js'
import { composeForm } from './compose-form.js'
import type { Home, HomeRequest } from './frame.js'

/** Number of posts per page of a timeline. */
export const PAGE = 20
/**
 * Minimum number of posts of a page with a link to older posts. A shorter page has no link, because some lists return a
 * cursor even after their last page.
 */
export const ENOUGH = PAGE / 2

/** Reads the paging parameters in the query: `max_id` for older pages. */
export const pageIn = ({ req }: Pick<HomeRequest, 'req'>): { limit: number; max_id?: string } => {
  const older = idOrNull(req.query.max_id)
  return { limit: PAGE, ...(older === null ? {} : { max_id: older }) }
}

/**
 * Values that all posts on a page share. `filterContext`: context of the filters that apply; `back`: path to which the
 * actions on a post return.
 */
export const frameOf = async (
  { ctx, user, csrfField, req, preferences }: HomeRequest,
  filterContext: FilterContext | null,
  back = req.originalUrl,
): Promise<ArticleFrame> => {
  const chosen = await preferences()
  return {
    viewerId: user.viewer.id,
    domain: ctx.site.localDomain,
    csrfField,
    back,
    now: ctx.clock.now(),
    filterContext,
    look: { opensWarnings: chosen['reading:expand:spoilers'], media: chosen['reading:expand:media'] },
  }
}

/** Returns the largest id of the statuses, or `least` if `least` is larger. */
export const newestOf = (statuses: readonly Status[], least = '0'): string =>
  statuses.reduce((newest, { id }) => (BigInt(id) > BigInt(newest) ? id : newest), least)

/** HTML attributes for the script of the page: path of the endpoint for new posts, and the newest id shown. */
export const liveAttributes = (live: string, newest: string): Html =>
  html` data-live="${live}" data-newest="${newest}" data-added="${t('New posts were added.')}"`

/** A list of posts with a link to older posts. The script of the page polls the path `live` for new posts. */
export const postList = async (
  request: HomeRequest,
  { items, older }: ListPage<Status[]>,
  {
    path,
    empty,
    live,
    filterContext,
  }: { path: string; empty: Html; live?: string; filterContext: FilterContext | null },
): Promise<Html> => {
  const isFirst = request.req.query.max_id === undefined
  return html`<div id="posts"${
    live !== undefined && isFirst ? liveAttributes(live, newestOf(items)) : ''
  }>${articles(items, await frameOf(request, filterContext))}</div>${items.length === 0 ? html`<div class="card">${empty}</div>` : ''}${
    older !== null && items.length >= ENOUGH
      ? html`<p><a class="button quiet" rel="next" href="${path}?max_id=${older}">${t('Older posts')}</a></p>`
      : ''
  }`
}

const empty = (): Html =>
  html`<p>${t('Posts of the people and hashtags that you follow appear here.')}</p><p class="row"><a class="button" href="/home/search">${t('Find people')}</a><a class="button quiet" href="/home/local">${t('Posts on this server')}</a></p>`

export const addTimeline = (home: Home): void =>
  home.add('get', '/home', async (request) => {
    const { callApi, csrfField, ctx, preferences } = request
    const [page, chosen] = await Promise.all([callApi.page(homeTimeline, pageIn(request)), preferences()])
    await request.show({
      title: t('Home'),
      current: 'home',
      body: html`${
        request.req.query.max_id === undefined
          ? composeForm({ form: defaultsOf(chosen) }, { csrfField, domain: ctx.site.localDomain })
          : ''
      }${await postList(request, page, { path: '/home', empty: empty(), live: '/home/new', filterContext: 'home' })}`,
    })
  })
