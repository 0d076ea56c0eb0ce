/**
 * Finds the activities about an address that staff enters. For a status, activities about its reblogs by local accounts
 * are included.
 */
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { isId, isNoResponse } from '@murmuration/contracts/kit'
import { localBoosts, type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { idFloor } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { activitiesOn, type FoundActivity } from './delivery-report.store.js'
import { olderStatuses, recordsOfEnds } from './explained-account.js'
import { KEPT_MS } from './explained-deletion.rules.js'
import { endsOfAccount } from './explained-deletion.store.js'
import type { StatusFamily } from './no-delivery.rules.js'

/** Maximum number of activities per object. An object has a Create, Updates and a Delete. */
const MAX_ACTIVITIES = 50
/** Maximum number of reblogs of a status that are shown, newest first. */
const MAX_BOOSTS = 25

/** Maximum number of Deletes and Undos of an account in which its undone reblogs are searched. */
const MAX_ENDS = 500

const pagePath = /^\/(?:web\/)?(?:@[^/]+|(?:ap\/)?users\/[^/]+\/statuses)\/(\d{1,19})(?:\/activity)?\/?$/

/** Status id in the address of a page of this server, as a list of at most one. Operators copy such addresses from the browser. */
const idsOnPage = (ctx: Context, address: string): string[] => {
  const host = hostOf(address)
  const [, id = ''] = (host !== null && ctx.self.ownHosts.has(host) && pagePath.exec(new URL(address).pathname)) || []
  return isId(id) ? [id] : []
}

/** The address without its fragment, such as `#undo` of the id of an Undo. */
const withoutPart = (address: string): string => address.replace(/#.*$/s, '')

/**
 * The status of an address: the status with this id, else the status at the address without a fragment or the suffix
 * `/activity`.
 */
const statusAt = async (ctx: Context, address: string): Promise<StatusRecord | null> => {
  const bare = withoutPart(address)
  const uris = [...new Set([address, statusUriOf(address), bare, statusUriOf(bare)])]
  const { records } = await ctx.call(statusRecords, { ids: idsOnPage(ctx, bare), uris, pages: true })
  const byUri = uris.flatMap((uri) => records.filter((one) => one.uri === uri))
  return byUri[0] ?? records[0] ?? null
}

/** The original status of an address (also of a reblog), and its reblogs by local accounts. Null if no status is found. */
const familyAt = async (ctx: Context, address: string): Promise<StatusFamily | null> => {
  const named = await statusAt(ctx, address)
  if (named === null) return null
  const id = named.reblog_of ?? named.id
  const [original, { boosts }] = await Promise.all([
    originalOf(ctx, named),
    ctx.call(localBoosts, { status: id, limit: MAX_BOOSTS + 1 }),
  ])
  const some = boosts.slice(0, MAX_BOOSTS)
  const isListed = named === original || some.some((it) => it.id === named.id)
  const listed = [...(original === null ? [] : [original]), ...(isListed ? [] : [named]), ...some]
  return { named, original, listed, moreBoosts: boosts.length > MAX_BOOSTS, isByAccount: false }
}

const originalOf = async (ctx: Context, named: StatusRecord): Promise<StatusRecord | null> =>
  named.reblog_of === null ? named : ((await ctx.call(statusRecords, { ids: [named.reblog_of] })).records[0] ?? null)

/** The reblogs of a status by one account, including undone reblogs. `family` is null if no status is found. */
const familyBy = async (
  ctx: Context,
  address: string,
  account: string,
): Promise<Pick<AtAddress, 'family' | 'since' | 'endsFrom'>> => {
  const since = new Date(ctx.clock.now() - KEPT_MS)
  const named = await statusAt(ctx, address)
  if (named === null) return { family: null, since, endsFrom: null }
  const status = named.reblog_of ?? named.id
  const [original, { boosts }, { rows: ends, readUpTo }] = await Promise.all([
    originalOf(ctx, named),
    ctx.call(localBoosts, { status, limit: MAX_BOOSTS, author: account }),
    endsOfAccount(ctx.db, account, { from: idFloor(since.getTime()), limit: MAX_ENDS, newestFirst: true }),
  ])
  const undone = await recordsOfEnds(ctx, ends)
  const own = boosts.filter((it) => it.author === account)
  // A statuses service of an older release ignores `author`. If its page is full, the boost of this account may be on a
  // later page.
  if (own.length === 0 && boosts.length === MAX_BOOSTS) throw olderStatuses()
  const listed = [...own, ...undone.filter((it) => it.reblog_of === status && it.author === account)]
  return {
    family: { named, original, listed, moreBoosts: false, isByAccount: true },
    since,
    endsFrom: readUpTo,
  }
}

export interface AtAddress {
  found: FoundActivity[]
  family: StatusFamily | null
  /** Nothing is stored about statuses and reblogs that were deleted before this time. */
  since: Date
  /** Reblogs that were undone before this time were not searched; null if all were searched. */
  endsFrom: Date | null
}

/** Object ids that activities about these statuses have. The object id of the address itself comes first. */
const objectsOf = (address: string, listed: readonly StatusRecord[]): string[] => {
  const ids = listed.map((it) => statusUriOf(it.uri))
  const bare = withoutPart(address)
  const isOf = (id: string) => id === bare || id === statusUriOf(bare)
  return [...ids.filter(isOf), ...ids.filter((id) => !isOf(id))]
}

/**
 * Activities about the status at an address, and the status with its reblogs. With `by` (account id), only reblogs by
 * this account.
 *
 * If the statuses service does not respond, only activities with the address itself are returned. Throws if no status
 * or activity has this address.
 */
export const activitiesAt = async (ctx: Context, address: string, by: string | null): Promise<AtAddress> => {
  const max = { each: MAX_ACTIVITIES, all: 2 * MAX_ACTIVITIES + MAX_BOOSTS }
  if (by !== null) {
    const { family, since, endsFrom } = await familyBy(ctx, address, by)
    const ids = objectsOf(address, family?.listed ?? [])
    return { found: await activitiesOn(ctx.db, [...new Set(ids)], max), family, since, endsFrom }
  }
  const bare = withoutPart(address)
  const own = [...new Set([address, bare, statusUriOf(bare)])]
  const family = await familyAt(ctx, address).catch(async (error: unknown) => {
    const found = isNoResponse(error) ? await activitiesOn(ctx.db, own, max) : []
    if (found.length === 0) throw error
    return null
  })
  const ids = family === null ? own : [...objectsOf(address, family.listed), address]
  const found = await activitiesOn(ctx.db, [...new Set(ids)], max)
  return { found, family, since: new Date(ctx.clock.now() - KEPT_MS), endsFrom: null }
}
