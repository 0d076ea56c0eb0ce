/** Operations, events and jobs about home and list feeds: fan-out, maintenance and caches. */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { event, flagOr, internal, invalidation, job, list, operation, PATIENT_RETRY, post } from '../kit/index.js'

export const renewFeeds = operation('statuses.feed.renew', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    owners: z
      .array(
        z.object({
          id: z.string(),
          lists: z.array(z.string()),
          /** ISO 8601; time of the account's last recorded activity, null without one, absent if unknown. */
          activeAt: z.string().nullable().optional(),
        }),
      )
      .max(500),
    /**
     * True immediately rebuilds the feeds that fan-out still fills. Every other deleted feed is rebuilt when its owner
     * reads it. False rebuilds no feed immediately.
     */
    build: z.boolean(),
  }),
  output: z.object({ feeds: z.int() }),
  about: 'Deletes home and list feeds of local accounts, and optionally rebuilds them from the database.',
})

/** Kinds of caches. Each can be rebuilt from rows or by fetching again. */
export const CacheKind = z.enum(['statuses', 'translations'])
export type CacheKind = z.infer<typeof CacheKind>

export const clearCache = operation('statuses.cache.clear', {
  http: post(`${STAFF_PREFIX}/caches/clear`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: z.object({
    /** Kinds of caches that are cleared; all kinds if absent. */
    kinds: list(CacheKind, 10).optional(),
    dry_run: flagOr(false),
  }),
  output: z.object({
    kinds: z.array(CacheKind),
    /** Seconds after which no process uses a cleared cache entry any longer. */ within: z.int(),
  }),
  errors: ['unprocessable', 'unavailable'],
  about: 'Clears caches in Redis. Sessions, rate limits and feeds stay.',
})

/** Cache invalidation message: staff cleared caches. The keys are kinds of caches. */
export const cacheInvalidation = invalidation('statuses.cache', 'Caches that were cleared, by kind.')

export const cachesManaged = event('statuses.cache.managed', {
  data: StaffAct,
  about: 'Staff or an operator cleared caches.',
})

export const fanOut = job('statuses.fan-out', {
  data: z.object({
    status: z.string(),
    /** Ids of further statuses that arrived together with `status` and are processed the same way. */
    more: z.array(z.string()).optional(),
    /** Follower id after which the page begins. */
    after: z.string().optional(),
    /** Follower id with which the last page ends. Absent: the last follower. */
    until: z.string().optional(),
    /**
     * For an edit: its revision, or the time of content that the edit made visible. Open connections are notified, and
     * no status is added to the feeds.
     */
    edited: z.int().optional(),
    /**
     * True for a boost that another boost of the same status hid, until that other boost was deleted. The hidden boost
     * is added to feeds without notifying open connections.
     */
    quiet: z.boolean().optional(),
    /**
     * True for a reply that arrived before its parent. The reply is added to the feeds of followers, but not sent to
     * the public streams again.
     */
    late: z.boolean().optional(),
  }),
  about: 'Adds statuses to the feeds of at most five pages of 1,000 followers.',
  concurrency: 16,
  retry: PATIENT_RETRY,
})

export const fanOutRemoval = job('statuses.withdraw', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Id of the original if the status is a boost; else null. */
    reblogOf: z.string().nullable(),
    after: z.string().optional(),
    /** Follower id with which the last page ends. Absent: the last follower. */
    until: z.string().optional(),
  }),
  about: 'Removes a status from the feeds of at most five pages of 1,000 followers.',
  concurrency: 16,
  retry: PATIENT_RETRY,
})

export const fanOutTags = job('statuses.fan-out-tags', {
  data: z.object({
    status: z.string(),
    /** Account id after which the page begins. */
    after: z.string().optional(),
    /** Follower id with which the last page ends. Absent: the last follower. */
    until: z.string().optional(),
    /** Revision of an edit that may have added hashtags. */
    edited: z.int().optional(),
    /** True if the status was deleted. It is then removed from the feeds. */
    gone: z.boolean().optional(),
  }),
  about:
    'Adds a public status to the feeds of at most five pages of 1,000 followers of its hashtags. Removes a deleted status from these feeds.',
  concurrency: 8,
  retry: PATIENT_RETRY,
})

export const dropAllFeeds = job('statuses.drop-feeds', {
  data: z.object({
    /** Account id after which the page begins. */
    after: z.string().optional(),
  }),
  about: 'Drops the feeds of one page of 500 accounts, after Redis returned to an earlier state.',
  retry: PATIENT_RETRY,
})

export const removeTagFromHome = job('statuses.take-out-tag', {
  data: z.object({ account: z.string(), tag: z.string() }),
  about: 'Removes statuses from a home feed that were in it only because of a hashtag that is no longer followed.',
  retry: PATIENT_RETRY,
})
