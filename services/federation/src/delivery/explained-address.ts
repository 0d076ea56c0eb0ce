/** Finds the activities of an address that staff enters: for a status, also those of its reblogs by local accounts. */
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { Failure, isId } from '@murmuration/contracts/kit'
import { localBoosts, type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { statusThing } from '../core/compaction.rules.js'
import { activitiesOn, type FoundActivity } from './delivery-report.store.js'
import type { StatusFamily } from './no-delivery.rules.js'

/** Most activities per object. An object has a Create, Updates and a Delete. */
const MOST_ACTIVITIES = 50
/** Most reblogs of a status, newest first. */
const MOST_BOOSTS = 25

const pagePath = /^\/(?:web\/)?(?:@[^/]+|(?:ap\/)?users\/[^/]+\/statuses)\/(\d{1,19})(?:\/activity)?\/?$/

/** Status id in the address of a page of this server, as a list of at most one. Operators copy such addresses from the browser. */
const idsOnPage = (ctx: Context, address: string): string[] => {
  const host = hostOf(address)
  const [, id = ''] = (host !== null && ctx.self.ownHosts.has(host) && pagePath.exec(new URL(address).pathname)) || []
  return isId(id) ? [id] : []
}

/** The original status of an address (also of a reblog), and its reblogs by local accounts. Null if no status is found. */
const familyAt = async (ctx: Context, address: string): Promise<StatusFamily | null> => {
  const asked = { ids: idsOnPage(ctx, address), uris: [...new Set([address, statusThing(address)])], pages: true }
  const [named] = (await ctx.call(statusRecords, asked)).records
  if (named === undefined) return null
  const id = named.reblog_of ?? named.id
  const [original, { boosts }] = await Promise.all([
    named.reblog_of === null ? named : ctx.call(statusRecords, { ids: [id] }).then((it) => it.records[0] ?? null),
    ctx.call(localBoosts, { status: id, limit: MOST_BOOSTS + 1 }),
  ])
  const listed = boosts.slice(0, MOST_BOOSTS)
  const isListed = named === original || listed.some((it) => it.id === named.id)
  return { named, original, boosts: isListed ? listed : [named, ...listed], moreBoosts: boosts.length > MOST_BOOSTS }
}

const isAway = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'unavailable' || error.code === 'timeout')

/**
 * Activities of an address, and its status with reblogs.
 *
 * If the statuses service does not respond, only activities with the address itself are returned. If there are none, it throws.
 */
export const activitiesAt = async (
  ctx: Context,
  address: string,
): Promise<{ found: FoundActivity[]; family: StatusFamily | null }> => {
  const most = { each: MOST_ACTIVITIES, all: 2 * MOST_ACTIVITIES + MOST_BOOSTS }
  const family = await familyAt(ctx, address).catch(async (error: unknown) => {
    const found = isAway(error) ? await activitiesOn(ctx.db, [address], most) : []
    if (found.length === 0) throw error
    return null
  })
  const all: (StatusRecord | null)[] = family === null ? [] : [family.original, ...family.boosts]
  const ids = all.flatMap((it) => (it === null ? [] : [statusThing(it.uri)]))
  // The status of the address comes first.
  const isOf = (id: string) => id === address || id === statusThing(address)
  const ordered = family === null ? [address] : [...ids.filter(isOf), ...ids.filter((id) => !isOf(id)), address]
  return { found: await activitiesOn(ctx.db, [...new Set(ordered)], most), family }
}
