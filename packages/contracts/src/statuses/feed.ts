/** Upkeep of what Redis holds: home and list feeds, and caches. */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { event, flagOr, hint, internal, list, operation, post } from '../kit/index.js'

export const feedsRenew = operation('statuses.feed.renew', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owners: z.array(z.object({ id: z.string(), lists: z.array(z.string()) })).max(500),
    /** Makes the feeds anew at once; otherwise their owners make them by reading. */
    build: z.boolean(),
  }),
  output: z.object({ feeds: z.int() }),
  about: 'Drops home and list feeds of local accounts, and makes them anew from rows.',
})

/** Caches that can be rebuilt from rows or by asking again, by kind. */
export const CacheKind = z.enum(['statuses', 'translations'])
export type CacheKind = z.infer<typeof CacheKind>

export const cacheClear = operation('statuses.cache.clear', {
  http: post(`${STAFF_PREFIX}/caches/clear`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: z.object({
    /** All kinds when absent. */
    kinds: list(CacheKind, 10).optional(),
    dry_run: flagOr(false),
  }),
  output: z.object({
    kinds: z.array(CacheKind),
    /** Seconds until every process reads no old entry. */ within: z.int(),
  }),
  errors: ['unprocessable', 'unavailable'],
  about: 'Clears caches in Redis. Sessions, rate limits and feeds stay.',
})

/** Kinds of caches. */
export const cacheHint = hint('statuses.cache', 'Caches that were cleared, by kind.')

export const cachesManaged = event('statuses.cache.managed', {
  data: StaffAct,
  about: 'Staff or an operator cleared caches.',
})
