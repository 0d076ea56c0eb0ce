/** Checks of remote statuses: times, counts, and the origin of addresses. */

import { limits } from '@murmuration/contracts/limits'
import { readTime } from '@murmuration/text'

/** Earliest accepted publication time, in milliseconds. An earlier publication time is a mistake of the server. */
const EARLIEST = Date.UTC(2000, 0, 1)

/** Publication time of a remote status. Times that are invalid, in the future or before 2000 become `now`. */
export const publishedAt = (published: string, now: number): Date => {
  const claimed = readTime(published)
  return new Date(Number.isNaN(claimed) || claimed < EARLIEST ? now : Math.min(claimed, now))
}

/** Parses a time of a remote server; null if invalid. */
export const timeOrNull = (claimed: string | null): Date | null => {
  const at = claimed === null ? Number.NaN : readTime(claimed)
  return Number.isNaN(at) ? null : new Date(at)
}

/** Whether a status is recent enough to enter feeds and cause notifications. */
export const isRecent = (createdAt: Date, now: number): boolean => createdAt >= oldestRecent(now)

/** Earliest time of publication of statuses that are recent at `now`. */
export const oldestRecent = (now: number): Date => new Date(now - limits.statuses.realTimeSeconds * 1_000)

/** Edit time of a new status; null if it equals the publication time, because many servers send both. */
export const editTimeOf = (of: { published: string; edited_at: string | null }): string | null =>
  of.edited_at !== null && readTime(of.edited_at) === readTime(of.published) ? null : of.edited_at

/** Time of the last edit of a remote status, at most `now`: a later time would block newer edits. */
export const editedAtOrNull = (claimed: string | null, now: number): Date | null => {
  const at = timeOrNull(claimed)
  return at === null ? null : new Date(Math.min(at.getTime(), now))
}

/** Whether an edit is newer than the stored one. Older and repeated edits are ignored. */
export const isEditNewer = (edited: string, stored: Date | null): boolean => {
  const at = readTime(edited)
  return !Number.isNaN(at) && (stored === null || at > stored.getTime())
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

/** Whether two addresses have the same origin. */
export const isOfOrigin = (address: string, other: string): boolean => {
  const origin = originOf(address)
  return origin !== null && origin !== 'null' && origin === originOf(other)
}

const MAX_TOLD = 2_147_483_647

/** Count of a remote server as an integer from 0 to 2,147,483,647; null if there is none. */
export const storableCount = (count: number | null | undefined): number | null =>
  count === null || count === undefined || !Number.isFinite(count)
    ? null
    : Math.max(0, Math.min(MAX_TOLD, Math.floor(count)))
