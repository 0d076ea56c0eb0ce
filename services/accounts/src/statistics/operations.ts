/** Handlers that count accounts, domains and their relationships. */
import {
  accountCounts,
  accountDomains,
  domainTies,
  readAccountDayCounts,
  usersByWeek,
} from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { can } from '@murmuration/contracts/permissions'
import { readDayCounts } from '@murmuration/db'
import { createMemoryCache, type MemoryCache } from '@murmuration/flow'
import type { Context } from '../context.js'
import { roleById } from '../core/role/store.js'
import { handle } from '../handlers.js'
import { tiesOf } from './domain.store.js'
import { accountWeeks, countAccounts, countDomains, everyDomain } from './store.js'

/** Numbers of users and domains, and whether users may invite, for NodeInfo and the instance document. */
type AccountCounts = ResultOf<typeof accountCounts.output>

const FRESH_MS = 60_000
/** With fewer users than this, and fewer domains than `MANY_DOMAINS`, counting is fast, so the result is not cached. */
const MANY_USERS = 10_000
const MANY_DOMAINS = 1_000

const caches = new WeakMap<Context, MemoryCache<AccountCounts>>()

const count = async (ctx: Context): Promise<AccountCounts> => {
  const ago = (seconds: number) => new Date(ctx.clock.now() - seconds * 1_000)
  const [counts, domains, everyone] = await Promise.all([
    countAccounts(ctx.db, {
      month: ago(limits.instance.activeMonthSeconds),
      halfyear: ago(limits.instance.activeHalfyearSeconds),
    }),
    countDomains(ctx.db),
    roleById(ctx.db, '-99'),
  ])
  return {
    users: counts.users,
    activeMonth: counts.active_month,
    activeHalfyear: counts.active_halfyear,
    domains,
    invitesEnabled: can(everyone?.permissions ?? 0, 'invite_users'),
  }
}

const isLarge = ({ users, domains }: AccountCounts): boolean => users >= MANY_USERS || domains >= MANY_DOMAINS

/** Returns the numbers of users and domains. Concurrent requests share one count. A count of many rows is cached for a minute. */
export const getAccountCounts = handle(accountCounts, async (ctx) => {
  const cache = caches.get(ctx) ?? createMemoryCache<AccountCounts>({ max: 1, now: () => ctx.clock.now() })
  caches.set(ctx, cache)
  return cache.load(
    'figures',
    () => count(ctx),
    (counts) => (isLarge(counts) ? FRESH_MS : 0),
  )
})

/** Returns active users and new users per week. */
export const byWeek = handle(usersByWeek, async (ctx, _viewer, { mondays }) => ({
  weeks: await accountWeeks(
    ctx.db,
    mondays.map((at) => new Date(at)),
  ),
}))

/** Maximum number of domains for which counts are returned. */
const MAX_DOMAINS = 200_000

export const listDomains = handle(accountDomains, async (ctx) => ({ domains: await everyDomain(ctx.db, MAX_DOMAINS) }))

/** Returns, per domain, the number of stored accounts and of follows between them and local accounts. */
export const listTies = handle(domainTies, async (ctx, _viewer, { domains }) => ({
  ties: await tiesOf(ctx.db, domains),
}))

/** Reads the daily counters of accounts. */
export const read = handle(readAccountDayCounts, async (ctx, _viewer, { queries }) => ({
  results: await Promise.all(queries.map((query) => readDayCounts(ctx.db, query))),
}))
