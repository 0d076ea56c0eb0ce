/** JSON endpoints for new posts, which the script of an open page below `/home` polls. */
import type { FilterContext, Status } from '@murmuration/contracts/entities'
import { homeTimeline, showThread } from '@murmuration/contracts/statuses'
import { html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { pageNotFound } from '../core/page-request.js'
import { articles, statusPath } from './article.js'
import type { Home, HomeRequest } from './frame.js'
import { frameOf, newestOf, PAGE } from './timeline.js'

const isNewer = (id: string, since: string): boolean => BigInt(id) > BigInt(since)

/**
 * Sends JSON about new posts. `html`: the posts in the order of the page. `newest`: value of `since` for the next
 * request. `unread`: number of unread notification groups.
 */
const send = async (
  request: HomeRequest,
  fresh: readonly Status[],
  { since, back, filterContext }: { since: string; back: string; filterContext: FilterContext },
): Promise<void> => {
  const { res } = request
  const body = {
    html: html`${articles(fresh, await frameOf(request, filterContext, back))}`.text,
    newest: newestOf(fresh, since),
    unread: await request.unread(),
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Cache-Control', 'private, no-store')
  res.end(JSON.stringify(body))
}

const sinceIn = ({ req }: HomeRequest): string => {
  const since = idOrNull(req.query.since)
  if (since === null) throw pageNotFound()
  return since
}

export const addLive = (home: Home): void => {
  home.add('get', '/home/new', async (request) => {
    const since = sinceIn(request)
    const fresh = await request.callApi(homeTimeline, { limit: PAGE, ...(since === '0' ? {} : { min_id: since }) })
    await send(request, fresh, { since, back: '/home', filterContext: 'home' })
  })
  home.add('get', `${statusPath(':id')}/new`, async (request) => {
    const id = idIn(request.req.params.id)
    const since = sinceIn(request)
    const { descendants } = await request.callApi(showThread, { id })
    // If there are many new replies, the oldest ones are sent first. The next request returns the remaining replies.
    const newer = descendants.filter((one) => isNewer(one.id, since))
    const ids = newer.map((one) => BigInt(one.id)).sort((a, b) => (a < b ? -1 : 1))
    const last = ids[PAGE - 1] ?? ids.at(-1)
    const fresh = newer.filter((one) => last !== undefined && BigInt(one.id) <= last)
    await send(request, fresh, { since, back: statusPath(id), filterContext: 'thread' })
  })
}
