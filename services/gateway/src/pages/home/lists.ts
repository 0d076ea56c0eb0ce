/** Timelines below `/home` besides the home timeline: this server, other servers, a hashtag, bookmarks and favourites. */
import type { Status } from '@murmuration/contracts/entities'
import {
  followTag,
  listBookmarks,
  listFavourites,
  publicTimeline,
  showTag as showTagOperation,
  tagTimeline,
  unfollowTag,
} from '@murmuration/contracts/statuses'
import { isValidTag } from '@murmuration/text'
import type { ListPage } from '../core/call-api.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { tagPath } from './article.js'
import type { Home, HomeRequest, LinkId } from './frame.js'
import { pageIn, postList } from './timeline.js'

interface List {
  readonly path: string
  readonly title: string
  readonly current: LinkId
  readonly empty: Html
  readonly filterContext: 'public' | null
  load(request: HomeRequest): Promise<ListPage<Status[]>>
}

/** Timelines in the navigation. It is a function, because titles are in the language of the request. */
const lists = (): readonly List[] => [
  {
    path: '/home/local',
    title: t('This server'),
    current: 'local',
    empty: html`<p>${t('No public posts on this server yet.')}</p>`,
    filterContext: 'public',
    load: (request) => request.callApi.page(publicTimeline, { ...pageIn(request), local: true }),
  },
  {
    path: '/home/remote',
    title: t('Other servers'),
    current: 'remote',
    empty: html`<p>${t('No posts from other servers yet. They arrive when accounts here follow people there.')}</p>`,
    filterContext: 'public',
    load: (request) => request.callApi.page(publicTimeline, { ...pageIn(request), remote: true }),
  },
  {
    path: '/home/bookmarks',
    title: t('Bookmarks'),
    current: 'bookmarks',
    empty: html`<p>${t('No bookmarks yet. Only you can see your bookmarks.')}</p>`,
    filterContext: null,
    load: (request) => request.callApi.page(listBookmarks, pageIn(request)),
  },
  {
    path: '/home/favourites',
    title: t('Favourites'),
    current: 'favourites',
    empty: html`<p>${t('No favourites yet.')}</p>`,
    filterContext: null,
    load: (request) => request.callApi.page(listFavourites, pageIn(request)),
  },
]

const nameIn = (given: unknown): string => {
  const name = String(given ?? '')
  if (!isValidTag(name)) throw pageNotFound()
  return name
}

const showTag = async (request: HomeRequest): Promise<void> => {
  const name = nameIn(request.req.params.name)
  const [tag, page] = await Promise.all([
    request.callApi(showTagOperation, { name }),
    request.callApi.page(tagTimeline, { hashtag: name, ...pageIn(request) }),
  ])
  await request.show({
    title: `#${tag.name}`,
    body: html`<form class="row tagged" method="post" action="${tagPath(name)}">${request.csrfField}${
      tag.following
        ? html`<button class="quiet small" type="submit" name="do" value="unfollow">${t('Unfollow this hashtag')}</button>`
        : html`<button class="small" type="submit" name="do" value="follow">${t('Follow this hashtag')}</button>`
    }</form>${await postList(request, page, { path: tagPath(name), empty: html`<p>${t('No public posts with this hashtag yet.')}</p>`, filterContext: 'public' })}`,
  })
}

export const addLists = (home: Home): void => {
  for (const { path } of lists())
    home.add('get', path, async (request) => {
      const list = lists().find((one) => one.path === path) as List
      const { title, current, ...rest } = list
      await request.show({ title, current, body: await postList(request, await list.load(request), rest) })
    })
  home.add('get', '/home/tags/:name', showTag)
  home.add('post', '/home/tags/:name', async ({ callApi, req, done }, form) => {
    const name = nameIn(req.params.name)
    await callApi(form.do === 'unfollow' ? unfollowTag : followTag, { name })
    done(tagPath(name))
  })
}
