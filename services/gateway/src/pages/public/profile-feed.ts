/** RSS feeds of a local account: with replies, with media only, or with one hashtag. */
import { accountTimeline } from '@murmuration/contracts/statuses'
import { isValidTag } from '@murmuration/text'
import { t } from '../core/language.js'
import { type Page, type PageRequest, type Pages, pageNotFound } from '../core/page-request.js'
import { accountByHandle, isOurs, mustBePublic, orPageNotFound, publicOnly } from '../core/public-data.js'
import { redirect } from '../core/redirect.js'
import { nameOf } from '../core/rich-text.js'
import { RSS_SUFFIX, sendRss } from './rss.js'

const SIZE = 20

interface Selection {
  exclude_replies?: boolean
  only_media?: boolean
  tagged?: string
}

/**
 * Sends the RSS feed of a local account.
 * @param below path of the feed below the profile, without the suffix `.rss`
 */
export const sendFeed = async (
  request: PageRequest,
  username: string,
  below: string,
  selection: Selection,
): Promise<void> => {
  const { ctx, res } = request
  const account = await accountByHandle(request, username)
  if (!isOurs(account)) throw pageNotFound()
  const list = { id: account.id, exclude_reblogs: true, limit: SIZE, ...selection }
  const statuses = publicOnly(await orPageNotFound(ctx.call(accountTimeline, list)))
  const link = `${ctx.site.origin}/@${account.username}`
  const handle = `@${account.username}@${ctx.site.localDomain}`
  const title = selection.tagged === undefined ? nameOf(account) : `#${selection.tagged} (${handle})`
  const channel = {
    title,
    description: t('Public posts from {handle}', { handle }),
    link,
    self: link + below + RSS_SUFFIX,
  }
  sendRss(ctx, res, { ...channel, image: account.avatar_static }, statuses)
}

const feedOf =
  (below: string, selection: Selection): Page =>
  (request) => {
    mustBePublic(request)
    return sendFeed(request, String(request.req.params.username ?? ''), below, selection)
  }

const tagged: Page = (request) => {
  mustBePublic(request)
  const { username, tag } = request.req.params
  const name = String(tag ?? '')
  if (!isValidTag(name)) throw pageNotFound()
  return sendFeed(request, String(username ?? ''), `/tagged/${encodeURIComponent(name)}`, { tagged: name })
}

/** Redirects from `/users/NAME.rss`. Mastodon serves this path, too. */
const moved: Page = ({ req, res }) =>
  redirect(res, `/@${encodeURIComponent(String(req.params.username ?? ''))}${RSS_SUFFIX}`, 301)

export const addProfileFeeds = (pages: Pages): void => {
  pages.add('get', '/users/:username.rss', moved)
  pages.add('get', '/@:username/with_replies.rss', feedOf('/with_replies', {}))
  pages.add('get', '/@:username/media.rss', feedOf('/media', { only_media: true }))
  pages.add('get', '/@:username/tagged/:tag.rss', tagged)
}
