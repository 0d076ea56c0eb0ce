/** Review of trends below `/admin`: approve or reject hashtags, links, posts and publishers. */
import type {
  AdminTag,
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
} from '@murmuration/contracts/entities'
import { type AnyOperation, isId } from '@murmuration/contracts/kit'
import {
  approveTrendLink,
  approveTrendPublisher,
  approveTrendStatus,
  approveTrendTag,
  listTrendLinksForReview,
  listTrendPublishers,
  listTrendStatusesForReview,
  listTrendTagsForReview,
  rejectTrendLink,
  rejectTrendPublisher,
  rejectTrendStatus,
  rejectTrendTag,
} from '@murmuration/contracts/statuses'
import { type Message, msg } from '@murmuration/messages'
import { excerpt, webUrl } from '@murmuration/text'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { labels, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { shownText } from '../core/parts/status.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { bulkBar, bulkBox } from './bulk-bar.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { badge, filtersIn, nextPage, table, tabs } from './table.js'

const HERE = '/admin/trends'
const TABS = [
  [HERE, msg('Hashtags')],
  [`${HERE}/links`, msg('Links')],
  [`${HERE}/statuses`, msg('Posts')],
  [`${HERE}/publishers`, msg('Publishers')],
] as const

type Row = readonly HtmlValue[]
interface Found {
  /** Ids of the rows of the table, for bulk actions. */
  readonly ids?: readonly string[]
  readonly rows: readonly Row[]
  readonly next: Readonly<Record<string, string | null>>
}
interface Kind {
  readonly path: string
  /** Columns of the table; the last one contains the buttons. */
  readonly columns: readonly Message[]
  /** Kind of items in bulk actions; undefined if bulk actions do not exist for this kind of trend. */
  readonly noun?: string
  readonly approve: AnyOperation
  readonly reject: AnyOperation
  load(request: StaffRequest, from: Readonly<Record<string, string>>): Promise<Found>
}

const state = (needsReview: boolean, isAllowed: boolean | null): Html => {
  if (needsReview) return badge(t('Needs review'), 'warn')
  if (isAllowed === null) return badge(t('Reviewed'))
  return isAllowed ? badge(t('May trend'), 'ok') : badge(t('Kept out'), 'bad')
}

const decide = (id: string): Html =>
  html`<div class="row"><button type="submit" form="decide" name="approve" value="${id}">${t('Approve')}</button><button class="danger" type="submit" form="decide" name="reject" value="${id}">${t('Reject')}</button></div>`

/** Number of uses of a trend in its history, which covers a week. */
const usesOf = (history: readonly { uses: string; accounts: string }[]): string =>
  numberOf(history.reduce((sum, { uses }) => sum + Number(uses), 0))
/** Largest number of accounts that used a trend on one day of its history. */
const accountsOf = (history: readonly { accounts: string }[]): string =>
  numberOf(Math.max(0, ...history.map(({ accounts }) => Number(accounts))))

const tagRow = (tag: AdminTag): Row => [
  bulkBox(tag.id, `#${tag.name}`),
  html`<a href="/admin/tags/${tag.id}"><b>#${tag.name}</b></a>`,
  state(tag.requires_review, tag.trendable),
  usesOf(tag.history),
  accountsOf(tag.history),
  decide(tag.id),
]
const linkRow = (link: AdminTrendsLink): Row => {
  const url = webUrl(link.url)
  return [
    bulkBox(link.id, link.title || link.url),
    html`${url ? html`<a href="${url}" rel="nofollow noopener"><b>${link.title || url}</b></a>` : link.title}<p class="muted small">${link.provider_name || (url ? new URL(url).hostname : '')}</p>`,
    state(link.requires_review, null),
    usesOf(link.history),
    accountsOf(link.history),
    decide(link.id),
  ]
}
const statusRow = (status: AdminTrendsStatus, now: number): Row => [
  bulkBox(status.id, excerpt(shownText(status), 60)),
  html`<p class="quote">${excerpt(shownText(status), 200)}</p><p class="muted small">@${status.account.acct} · <a href="/home/statuses/${status.id}">${agoOf(status.created_at, now)}</a></p>`,
  state(status.requires_review, null),
  numberOf(status.reblogs_count),
  numberOf(status.favourites_count),
  decide(status.id),
]
const publisherRow = (one: AdminTrendsPublisher, now: number): Row => [
  html`<b>${one.domain}</b>`,
  state(one.requires_review, one.trendable),
  one.reviewed_at ? agoOf(one.reviewed_at, now) : html`<span class="muted">–</span>`,
  decide(one.id),
]

const idsOf = (items: readonly { id?: unknown }[]): string[] => items.map(({ id }) => String(id))

const DECISIONS = [
  ['approve', msg('Approve')],
  ['reject', msg('Reject')],
] as const

const KINDS: readonly Kind[] = [
  {
    path: HERE,
    columns: [msg('Select'), msg('Hashtag'), msg('State'), msg('Uses in a week'), msg('Most accounts in a day')],
    noun: 'trend_tag',
    approve: approveTrendTag,
    reject: rejectTrendTag,
    async load({ callApi }, from) {
      const { items, offset } = await callApi.page(listTrendTagsForReview, { limit: 20, ...from })
      return { rows: (items as AdminTag[]).map(tagRow), ids: idsOf(items), next: { offset } }
    },
  },
  {
    path: `${HERE}/links`,
    columns: [msg('Select'), msg('Link'), msg('State'), msg('Uses in a week'), msg('Most accounts in a day')],
    noun: 'trend_link',
    approve: approveTrendLink,
    reject: rejectTrendLink,
    async load({ callApi }, from) {
      const { items, offset } = await callApi.page(listTrendLinksForReview, { limit: 20, ...from })
      const links = items as AdminTrendsLink[]
      return { rows: links.map(linkRow), ids: idsOf(links), next: { offset } }
    },
  },
  {
    path: `${HERE}/statuses`,
    columns: [msg('Select'), msg('Post'), msg('State'), msg('Boosts'), msg('Favourites')],
    noun: 'trend_status',
    approve: approveTrendStatus,
    reject: rejectTrendStatus,
    async load({ callApi, now }, from) {
      const { items, offset } = await callApi.page(listTrendStatusesForReview, { limit: 20, ...from })
      const rows = (items as AdminTrendsStatus[]).map((one) => statusRow(one, now))
      return { rows, ids: idsOf(items), next: { offset } }
    },
  },
  {
    path: `${HERE}/publishers`,
    columns: [msg('Publisher'), msg('State'), msg('Reviewed')],
    approve: approveTrendPublisher,
    reject: rejectTrendPublisher,
    async load({ callApi, now }, from) {
      const { items, older } = await callApi.page(listTrendPublishers, { limit: 40, ...from })
      return { rows: items.map((one) => publisherRow(one, now)), next: { max_id: items.length >= 40 ? older : null } }
    },
  },
]

const addKind = (admin: Admin, kind: Kind): void => {
  admin.add('get', kind.path, 'manage_taxonomies', async (request) => {
    const from = Object.fromEntries(
      Object.entries(filtersIn(request.req.query, ['offset', 'max_id'])).filter(([, value]) => isId(value)),
    )
    const { rows, ids = [], next } = await kind.load(request, from)
    const { noun } = kind
    request.show({
      title: t('Trends'),
      current: 'trends',
      body: html`${tabs(t('Trends'), labels(TABS), kind.path)}${table(t('Trends'), [...kind.columns.map((one) => t(one)), ''], rows, t('Nothing trends here now.'))}<form id="decide" method="post" action="${kind.path}">${request.csrfField}</form>${noun ? bulkBar({ csrfField: request.csrfField, noun, actions: labels(DECISIONS), ids, query: { status: 'pending' }, all: t('Everything without a decision'), back: request.req.originalUrl }) : ''}${nextPage(kind.path, {}, next)}`,
    })
  })
  admin.add('post', kind.path, 'manage_taxonomies', async ({ callApi, done }, form) => {
    const approved = idOrNull(form.approve)
    const id = approved ?? idOrNull(form.reject)
    if (id === null) throw pageNotFound()
    const problem = await attempt(() => callApi(approved === null ? kind.reject : kind.approve, { id }))
    done(
      kind.path,
      problem ?? (approved === null ? t('Rejected. It stays out of trends.') : t('Approved. It may trend now.')),
    )
  })
}

export const addTrends = (admin: Admin): void => {
  for (const kind of KINDS) addKind(admin, kind)
}
