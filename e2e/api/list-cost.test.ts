/** Cost of each list of the client API on a real cluster: bounded, and independent of the page size. */
import { routedOperations } from '@murmuration/contracts/registry'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'
import { createListFixture, FULL, type ListFixture, type Member, PAGE, SHORT, TAG } from './list-fixture.js'
import { type Cost, type Meter, meterOf } from './meter.js'

let cluster: Cluster
let fixture: ListFixture
let meter: Meter
beforeAll(async () => {
  cluster = await startCluster({ apps: await loadAll(), env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' } })
  fixture = await createListFixture(cluster)
  await clear()
})
afterAll(() => cluster?.stop())

/** Restarts the cluster, so that all caches in memory are empty. */
const clear = async () => {
  await cluster.host.stop()
  await cluster.restart()
  meter = meterOf(cluster)
}

/** Additional batches of a full page: one for each kind of content that a short page lacks, such as polls, quotes and previews. */
const KINDS = 3
/** Maximum cost of a list, with and without filled caches. */
const MAX_COST: Cost = { queries: 16, requests: 8 }

interface List {
  /** Name of the operation. */
  subject: string
  path(at: ListFixture, size: number): string
  as?(at: ListFixture, size: number): Member | null
  /** Member of the response that contains the items; absent when the response is the list. */
  items?: string
  /** Number of items of a full page, if below FULL. */
  full?: number
  before?(at: ListFixture): Promise<void>
}

const withToken = (name: string) => (at: ListFixture) => ({ id: '', username: name, token: at.ids[name] ?? '' })
const paged =
  (path: string) =>
  (_at: ListFixture, size: number): string =>
    `${path}${path.includes('?') ? '&' : '?'}limit=${size}`
const many = (path: string, ids: (at: ListFixture) => string[]) => (at: ListFixture, size: number) =>
  `${path}?${ids(at)
    .slice(0, size)
    .map((id) => `id[]=${id}`)
    .join('&')}`
const memberIds = (at: ListFixture) => at.members.map((one) => one.id)
const meOrModest = (at: ListFixture, size: number) => (size === FULL ? at.me : at.modest)
const rootOrStub = (at: ListFixture, size: number) => (size === FULL ? at.ids.root : at.ids.stub)
const ofMe = (what: string) => (at: ListFixture, size: number) =>
  paged(`/api/v1/accounts/${at.me.id}/${what}`)(at, size)
const ofRoot = (what: string) => (at: ListFixture, size: number) =>
  paged(`/api/v1/statuses/${at.ids.root}/${what}`)(at, size)
const filter = (what: string) => (at: ListFixture, size: number) =>
  `/api/v2/filters/${size === FULL ? at.ids.filterFull : at.ids.filterShort}/${what}`
const trend = (at: ListFixture) => at.trend()

const LISTS: Record<string, List> = {
  'home timeline': { subject: 'statuses.timeline.home', path: paged('/api/v1/timelines/home') },
  'public timeline': { subject: 'statuses.timeline.public', path: paged('/api/v1/timelines/public') },
  'local timeline': { subject: 'statuses.timeline.public', path: paged('/api/v1/timelines/public?local=true') },
  'public, anonymous': { subject: 'statuses.timeline.public', path: paged('/api/v1/timelines/public'), as: () => null },
  'tag timeline': { subject: 'statuses.timeline.tag', path: paged(`/api/v1/timelines/tag/${TAG}`) },
  'link timeline': {
    subject: 'statuses.timeline.link',
    path: paged(`/api/v1/timelines/link?url=${PAGE}`),
    before: trend,
  },
  'list timeline': {
    subject: 'statuses.timeline.list',
    path: (at, size) => paged(`/api/v1/timelines/list/${at.ids.list}`)(at, size),
  },
  'direct timeline': { subject: 'statuses.timeline.direct', path: paged('/api/v1/timelines/direct') },
  'account statuses': {
    subject: 'statuses.timeline.account',
    path: (at, size) =>
      size === FULL
        ? `/api/v1/accounts/${at.members[0]?.id}/statuses?limit=40`
        : `/api/v1/accounts/${at.members[0]?.id}/statuses?limit=2`,
    full: 4,
  },
  favourites: { subject: 'statuses.favourite.list', path: paged('/api/v1/favourites') },
  bookmarks: { subject: 'statuses.bookmark.list', path: paged('/api/v1/bookmarks') },
  conversations: { subject: 'statuses.conversation.list', path: paged('/api/v1/conversations') },
  context: {
    subject: 'statuses.thread.show',
    path: (at, size) => `/api/v1/statuses/${rootOrStub(at, size)}/context`,
    items: 'descendants',
  },
  'status history': {
    subject: 'statuses.history.show',
    path: (at, size) => `/api/v1/statuses/${rootOrStub(at, size)}/history`,
    full: FULL + 1,
  },
  'favourited by': { subject: 'statuses.favourite.people', path: ofRoot('favourited_by') },
  'reblogged by': { subject: 'statuses.reblog.people', path: ofRoot('reblogged_by') },
  quotes: { subject: 'statuses.quote.list', path: ofRoot('quotes') },
  'statuses by id': { subject: 'statuses.status.list', path: many('/api/v1/statuses', (at) => at.statuses) },
  'scheduled statuses': { subject: 'statuses.scheduled.list', path: paged('/api/v1/scheduled_statuses') },
  'search accounts': { subject: 'statuses.search.find', path: paged('/api/v2/search?q=member'), items: 'accounts' },
  'search statuses': {
    subject: 'statuses.search.find',
    path: paged('/api/v2/search?q=said&type=statuses'),
    items: 'statuses',
  },
  'search hashtags': {
    subject: 'statuses.search.find',
    path: paged(`/api/v2/search?q=${TAG}&type=hashtags`),
    items: 'hashtags',
  },
  'followed tags': { subject: 'statuses.tag.list-followed', path: paged('/api/v1/followed_tags') },
  'featured tags': {
    subject: 'statuses.featured-tag.list',
    path: () => '/api/v1/featured_tags',
    as: meOrModest,
    full: 10,
  },
  'featured tags of': {
    subject: 'statuses.featured-tag.list-of',
    path: (at, size) => `/api/v1/accounts/${meOrModest(at, size).id}/featured_tags`,
    full: 10,
  },
  'trending tags': { subject: 'statuses.trend.tags', path: paged('/api/v1/trends/tags'), before: trend },
  'trending links': { subject: 'statuses.trend.links', path: paged('/api/v1/trends/links'), before: trend },
  'trending statuses': { subject: 'statuses.trend.statuses', path: paged('/api/v1/trends/statuses'), before: trend },
  'trending tags for review': {
    subject: 'statuses.trend-review.tags',
    path: paged('/api/v1/admin/trends/tags'),
    as: () => null,
    before: trend,
  },
  'trending links for review': {
    subject: 'statuses.trend-review.links',
    path: paged('/api/v1/admin/trends/links'),
    as: () => null,
    before: trend,
  },
  'trending statuses for review': {
    subject: 'statuses.trend-review.statuses',
    path: paged('/api/v1/admin/trends/statuses'),
    as: () => null,
    before: trend,
  },
  filters: {
    subject: 'statuses.filter.list',
    path: () => '/api/v2/filters',
    as: (at, size) => (size === FULL ? withToken('grump')(at) : at.modest),
    full: FULL + 2,
  },
  'filters v1': {
    subject: 'statuses.v1-filter.list',
    path: () => '/api/v1/filters',
    as: (at, size) => (size === FULL ? withToken('grump')(at) : at.modest),
    full: 2 * FULL + SHORT,
  },
  'filter keywords': {
    subject: 'statuses.filter-keyword.list',
    path: filter('keywords'),
    as: withToken('grump'),
  },
  'filter statuses': { subject: 'statuses.filter-status.list', path: filter('statuses'), as: withToken('grump') },
  notifications: { subject: 'notifications.notification.list', path: paged('/api/v1/notifications') },
  'notifications v2': {
    subject: 'notifications.group.list',
    path: paged('/api/v2/notifications'),
    items: 'notification_groups',
  },
  'group accounts': {
    subject: 'notifications.group.accounts',
    path: (at, size) => paged(`/api/v2/notifications/${at.ids.group}/accounts`)(at, size),
  },
  'notification requests': {
    subject: 'notifications.request.list',
    path: paged('/api/v1/notifications/requests'),
    as: withToken('strict'),
  },
  followers: { subject: 'accounts.follower.list', path: ofMe('followers') },
  following: { subject: 'accounts.followee.list', path: ofMe('following') },
  'follow requests': {
    subject: 'accounts.follow-request.list',
    path: paged('/api/v1/follow_requests'),
    as: withToken('locked'),
  },
  blocks: { subject: 'accounts.block.list', path: paged('/api/v1/blocks'), as: withToken('grump') },
  mutes: { subject: 'accounts.mute.list', path: paged('/api/v1/mutes'), as: withToken('grump') },
  'domain blocks': {
    subject: 'accounts.domain-block.list',
    path: paged('/api/v1/domain_blocks'),
    as: withToken('grump'),
  },
  endorsements: { subject: 'accounts.endorsement.list', path: paged('/api/v1/endorsements') },
  'endorsements of': { subject: 'accounts.endorsement.list-of', path: ofMe('endorsements') },
  'familiar followers': {
    subject: 'accounts.familiar-follower.list',
    path: many('/api/v1/accounts/familiar_followers', memberIds),
  },
  relationships: { subject: 'accounts.relationship.list', path: many('/api/v1/accounts/relationships', memberIds) },
  'accounts by id': { subject: 'accounts.account.many', path: many('/api/v1/accounts', memberIds) },
  'account search': { subject: 'accounts.account.search', path: paged('/api/v1/accounts/search?q=member') },
  directory: { subject: 'accounts.directory.list', path: paged('/api/v1/directory?local=true') },
  suggestions: { subject: 'accounts.suggestion.list', path: paged('/api/v2/suggestions'), as: (at) => at.fresh },
  'suggestions v1': {
    subject: 'accounts.suggestion.accounts',
    path: paged('/api/v1/suggestions'),
    as: (at) => at.fresh,
  },
  lists: { subject: 'accounts.list.index', path: () => '/api/v1/lists', as: meOrModest, full: FULL + 1 },
  'lists containing': {
    subject: 'accounts.list.containing',
    path: (at) => `/api/v1/accounts/${at.members[0]?.id}/lists`,
    as: meOrModest,
    full: FULL + 1,
  },
  'list members': {
    subject: 'accounts.list-member.list',
    path: (at, size) => paged(`/api/v1/lists/${at.ids.list}/accounts`)(at, size),
  },
  collections: { subject: 'accounts.collection.list', path: ofMe('collections'), items: 'collections', full: 8 },
  'in collections': {
    subject: 'accounts.collection.containing',
    path: (at, size) => paged(`/api/v1/accounts/${at.members[0]?.id}/in_collections`)(at, size),
    as: (at) => at.members[0] as Member,
    items: 'collections',
    full: 8,
  },
  'own strikes': { subject: 'admin.strike.list-own', path: paged('/api/murmuration/v1/strikes') },
  'warning presets': {
    subject: 'admin.warning-preset.list',
    path: paged('/api/murmuration/v1/admin/warning_presets'),
    as: withToken('staff'),
  },
}

/** Requests that take longer are repeated internally. That happens on a busy machine and is not counted as cost of the list. */
const PATIENCE_MS = 2_000
let asked = 0
const costOnce = async (list: List, size: number): Promise<{ items: number; cost: Cost; late: boolean }> => {
  await list.before?.(fixture)
  const requestId = `list-cost-${asked++}`
  const path = list.path(fixture, size)
  const began = performance.now()
  const { result, cost } = await meter.count(requestId, () =>
    fixture.get(list.as ? list.as(fixture, size) : fixture.me, path, { 'x-request-id': requestId }),
  )
  if (result.status !== 200) throw new Error(`${path}: ${result.status} ${JSON.stringify(result.body).slice(0, 200)}`)
  const items = list.items ? (result.body as Record<string, unknown[]>)[list.items] : result.body
  return { items: (items as unknown[]).length, cost, late: performance.now() - began >= PATIENCE_MS }
}
const costOf = async (list: List, size: number, before?: () => Promise<void>) => {
  for (let tries = 1; ; tries++) {
    const found = await costOnce(list, size)
    if (!found.late || tries === 5) return found
    await before?.()
  }
}

/** Cost of the cheaper of two requests, because the first may fill caches. */
const warmCostOf = async (list: List, size: number) => {
  const both = [await costOf(list, size), await costOf(list, size)] as const
  return both[0].cost.queries < both[1].cost.queries ? both[0] : both[1]
}

const table: string[] = []
const costText = ({ queries, requests }: Cost) => `${String(queries).padStart(4)} ${String(requests).padStart(3)}`

test.each(Object.entries(LISTS))('%s has a cost that does not depend on its length', async (name, list) => {
  const first = await costOf(list, FULL, clear)
  const short = await warmCostOf(list, SHORT)
  const full = await warmCostOf(list, FULL)
  table.push(
    `${name.padEnd(24)} ${costText(first.cost)}  ${costText(short.cost)}  ${costText(full.cost)}  ${full.items}`,
  )
  expect(full.items).toBeGreaterThanOrEqual(list.full ?? FULL)
  expect(short.items).toBeLessThanOrEqual(SHORT)
  expect(short.items).toBeGreaterThan(0)
  expect(full.cost.queries - short.cost.queries).toBeLessThanOrEqual(KINDS)
  expect(full.cost.requests - short.cost.requests).toBeLessThanOrEqual(KINDS)
  expect(first.cost.queries).toBeLessThanOrEqual(MAX_COST.queries)
  expect(first.cost.requests).toBeLessThanOrEqual(MAX_COST.requests)
})

test('every paged list of the client API is in the table', () => {
  console.log(`${'list'.padEnd(24)} first     short     full      items\n${table.join('\n')}`)
  const isPaged = (input: object) => 'shape' in input && 'limit' in (input.shape as object)
  // Operations that return a count; their limit ends the counting.
  const counts = /\.unread$/
  const paged = routedOperations().filter(
    (one) =>
      isPaged(one.input) && one.viewer.permission === undefined && !counts.test(one.name) && one.http.some(isGet),
  )
  const missing = paged
    .map((one) => one.name)
    .filter((name) => !Object.values(LISTS).some((one) => one.subject === name))
  expect(missing).toEqual([])
})
const isGet = ({ method }: { method: string }) => method === 'GET'
