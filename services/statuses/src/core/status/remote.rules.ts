/** Checks of remote statuses: when they were written, and that they are their author’s own. */
import { limits } from '@murmuration/contracts/limits'

/** Years before the first federated networks are mistakes. */
const EARLIEST = Date.UTC(2000, 0, 1)

/** The time a remote status counts as written: what it says, never in the future, never absurdly long ago. */
export const publishedAt = (published: string, now: number): Date => {
  const said = Date.parse(published)
  return new Date(Number.isNaN(said) || said < EARLIEST ? now : Math.min(said, now))
}

/** A time as a remote server wrote it, or null when it is none. */
export const timeOrNull = (said: string | null): Date | null => {
  const at = said === null ? Number.NaN : Date.parse(said)
  return Number.isNaN(at) ? null : new Date(at)
}

/** True for what was written within the hours in which remote statuses go into feeds. */
export const isRecent = (createdAt: Date, now: number): boolean =>
  now - createdAt.getTime() <= limits.statuses.realTimeSeconds * 1_000

/** When a status counts as edited last: what it says, never in the future, where no later edit would be newer. */
export const editedAtOrNull = (said: string | null, now: number): Date | null => {
  const at = timeOrNull(said)
  return at === null ? null : new Date(Math.min(at.getTime(), now))
}

/** True when an edit is newer than what is stored; an older or repeated one changes nothing. */
export const isEditNewer = (edited: string, stored: Date | null): boolean => {
  const at = Date.parse(edited)
  return !Number.isNaN(at) && (stored === null || at > stored.getTime())
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

/** True when two addresses are of the same server (security rule 1). */
export const isOfOrigin = (address: string, other: string): boolean => {
  const origin = originOf(address)
  return origin !== null && origin !== 'null' && origin === originOf(other)
}

const MOST_TOLD = 2_147_483_647

/** A count that a remote server told, made safe to store; null when it tells none. */
export const isNotifiable = (count: number | null | undefined): number | null =>
  count === null || count === undefined || !Number.isFinite(count)
    ? null
    : Math.max(0, Math.min(MOST_TOLD, Math.floor(count)))
