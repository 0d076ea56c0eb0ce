/** What each list of the client API costs inside the real cluster: it does not grow with the page, and stays under a bound. */
import { routedOperations } from '@murmuration/contracts/registry'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'
import { type Dweller, FULL, fillHouse, type House, PAGE, SHORT, TAG } from './crowded-house.js'
import { type Cost, type Meter, meterOf } from './meter.js'

let cluster: Cluster
let house: House
let meter: Meter
beforeAll(async () => {
  cluster = await startCluster({ apps: await loadAll(), env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' } })
  house = await fillHouse(cluster)
  await forget()
})
afterAll(() => cluster?.stop())

/** Whatever was kept in memory is gone. */
const forget = async () => {
  await cluster.host.stop()
  await cluster.restart()
  meter = meterOf(cluster)
}

/** Kinds of things that a full page may hold and a short one lacks, such as polls, quotes and previews: one batch each. */
const KINDS = 3
/** No list asks more than this, whether it is known from just before or not. */
const MOST: Cost = { queries: 16, requests: 8 }

interface List {
  /** Whose words this is in the contract. */
  subject: string
  path(at: House, size: number): string
  as?(at: House, size: number): Dweller | null
  /** Where the items stand in the answer. */
  items?: string
  /** Items of a full page when they are fewer. */
  full?: number
  before?(at: House): Promise<void>
}

const withToken = (name: string) => (at: House) => ({ id: '', username: name, token: at.ids[name] ?? '' })
const paged =
  (path: string) =>
  (_at: House, size: number): string =>
    `${path}${path.includes('?') ? '&' : '?'}limit=${size}`
const many = (path: string, ids: (at: House) => string[]) => (at: House, size: number) =>
  `${path}?${ids(at)
    .slice(0, size)
    .map((id) => `id[]=${id}`)
    .join('&')}`
const crowdIds = (at: House) => at.crowd.map((one) => one.id)
const meOrModest = (at: House, size: number) => (size === FULL ? at.me : at.modest)
const rootOrStub = (at: House, size: number) => (size === FULL ? at.ids.root : at.ids.stub)
const ofMe = (what: string) => (at: House, size: number) => paged(`/api/v1/accounts/${at.me.id}/${what}`)(at, size)
const ofRoot = (what: string) => (at: House, size: number) => paged(`/api/v1/statuses/${at.ids.root}/${what}`)(at, size)
const filter = (what: string) => (at: House, size: number) =>
  `/api/v2/filters/${size === FULL ? at.ids.filterFull : at.ids.filterShort}/${what}`
const trend = (at: House) => at.trend()

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
        ? `/api/v1/accounts/${at.crowd[0]?.id}/statuses?limit=40`
        : `/api/v1/accounts/${at.crowd[0]?.id}/statuses?limit=2`,
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
  'search accounts': { subject: 'statuses.search.find', path: paged('/api/v2/search?q=crowd'), items: 'accounts' },
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
    path: many('/api/v1/accounts/familiar_followers', crowdIds),
  },
  relationships: { subject: 'accounts.relationship.list', path: many('/api/v1/accounts/relationships', crowdIds) },
  'accounts by id': { subject: 'accounts.account.many', path: many('/api/v1/accounts', crowdIds) },
  'account search': { subject: 'accounts.account.search', path: paged('/api/v1/accounts/search?q=crowd') },
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
    path: (at) => `/api/v1/accounts/${at.crowd[0]?.id}/lists`,
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
    path: (at, size) => paged(`/api/v1/accounts/${at.crowd[0]?.id}/in_collections`)(at, size),
    as: (at) => at.crowd[0] as Dweller,
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

/** Whoever waits so long inside asks once more, which a busy machine brings about and is no cost of the list. */
const PATIENCE_MS = 2_000
let asked = 0
const costOnce = async (list: List, size: number): Promise<{ items: number; cost: Cost; late: boolean }> => {
  await list.before?.(house)
  const requestId = `list-cost-${asked++}`
  const path = list.path(house, size)
  const began = performance.now()
  const { result, cost } = await meter.count(requestId, () =>
    house.get(list.as ? list.as(house, size) : house.me, path, { 'x-request-id': requestId }),
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

/** The cheaper of two: the first may bring what it lacks. */
const warmCostOf = async (list: List, size: number) => {
  const both = [await costOf(list, size), await costOf(list, size)] as const
  return both[0].cost.queries < both[1].cost.queries ? both[0] : both[1]
}

const table: string[] = []
const told = ({ queries, requests }: Cost) => `${String(queries).padStart(4)} ${String(requests).padStart(3)}`

test.each(Object.entries(LISTS))('%s costs the same whatever its length', async (name, list) => {
  const first = await costOf(list, FULL, forget)
  const short = await warmCostOf(list, SHORT)
  const full = await warmCostOf(list, FULL)
  table.push(`${name.padEnd(24)} ${told(first.cost)}  ${told(short.cost)}  ${told(full.cost)}  ${full.items}`)
  expect(full.items).toBeGreaterThanOrEqual(list.full ?? FULL)
  expect(short.items).toBeLessThanOrEqual(SHORT)
  expect(short.items).toBeGreaterThan(0)
  expect(full.cost.queries - short.cost.queries).toBeLessThanOrEqual(KINDS)
  expect(full.cost.requests - short.cost.requests).toBeLessThanOrEqual(KINDS)
  expect(first.cost.queries).toBeLessThanOrEqual(MOST.queries)
  expect(first.cost.requests).toBeLessThanOrEqual(MOST.requests)
})

test('every paged list of the client API is in the table', () => {
  console.log(`${'list'.padEnd(24)} first     short     full      items\n${table.join('\n')}`)
  const isPaged = (input: object) => 'shape' in input && 'limit' in (input.shape as object)
  // They count, and their limit is where they stop counting.
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
