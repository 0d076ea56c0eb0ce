/** Search page below `/home` for accounts, posts, hashtags and collections. Unknown handles are looked up on their servers (WebFinger). */
import type { Collection } from '@murmuration/contracts/entities'
import { search } from '@murmuration/contracts/statuses'
import { webUrl } from '@murmuration/text'
import { attempt } from '../core/attempt.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { accountRows } from './accounts.js'
import { articles, tagPath } from './article.js'
import type { Home, HomeRequest } from './frame.js'
import { frameOf } from './timeline.js'

/** Maximum number of results of each kind. */
const MAX_RESULTS = 20
/** Maximum number of characters of a query, as in the API. Addresses of posts may be long. */
const MAX_QUERY = 2_400

const searchForm = (q: string): Html =>
  html`<form class="card find" method="get" action="/home/search" role="search"><div><label for="q">${t('Name, handle, hashtag or address of a post')}</label><input id="q" type="search" name="q" value="${q}" maxlength="${MAX_QUERY}" autocapitalize="none" spellcheck="false" required></div><button type="submit">${t('Search')}</button></form>`

const collectionRow = ({ name, url, uri }: Collection): Html =>
  html`<li><div><a href="${webUrl(url) ?? webUrl(uri) ?? ''}" rel="noopener">${name}</a></div></li>`

const resultsOf = async (request: HomeRequest, q: string): Promise<Html> => {
  const { accounts, statuses, hashtags, collections } = await request.callApi(search, {
    q,
    resolve: true,
    limit: MAX_RESULTS,
  })
  if (accounts.length + statuses.length + hashtags.length + collections.length === 0)
    return html`<p class="card">${t('Nothing was found. Enter a whole handle, such as @name@server.example, to find people on other servers.')}</p>`
  return html`${
    accounts.length > 0
      ? html`<h2>${t('People')}</h2><section class="card">${await accountRows(request, accounts)}</section>`
      : ''
  }${
    hashtags.length > 0
      ? html`<h2>${t('Hashtags')}</h2><p class="card tags">${hashtags.map(({ name }) => html`<a class="button quiet small" href="${tagPath(name)}">#${name}</a>`)}</p>`
      : ''
  }${
    collections.length > 0
      ? html`<h2>${t('Collections')}</h2><section class="card"><ul class="rows">${collections.map(collectionRow)}</ul></section>`
      : ''
  }${statuses.length > 0 ? html`<h2>${t('Posts')}</h2>${articles(statuses, await frameOf(request, null))}` : ''}`
}

export const addSearch = (home: Home): void =>
  home.add(
    'get',
    '/home/search',
    async (request) => {
      const { q: given } = request.req.query
      const q = typeof given === 'string' ? given.trim().slice(0, MAX_QUERY) : ''
      let results: Html | '' = ''
      const problem =
        q === ''
          ? null
          : await attempt(async () => {
              results = await resultsOf(request, q)
            })
      await request.show({
        title: t('Search'),
        current: 'search',
        problem: problem ?? undefined,
        body: html`${searchForm(q)}${results}`,
      })
    },
    'search',
  )
