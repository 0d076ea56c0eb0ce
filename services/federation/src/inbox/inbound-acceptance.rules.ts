/** Decides whether a delivered status concerns local accounts. Statuses that concern no local account are not stored. */

import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

export type DeliveredStatus = {
  visibility: Visibility
  /** True if a local account follows the author. */
  followed: boolean
  /** True if an enabled relay sent the status. */
  relayed: boolean
  /** True for a reply to a status of a local account, or of an account with local followers. */
  repliesToKnown: boolean
  /** True if a local account is addressed or mentioned, or owns the inbox. */
  addressesUs: boolean
}

export type Acceptance =
  | { ok: true; because: 'followed' | 'relayed' | 'replies-to-known' | 'addresses-us' }
  | { ok: false; reason: 'nobody-asked' }

/** Decides about a status in a delivered activity. Fetched statuses are stored without this check. */
export const acceptDelivery = (status: DeliveredStatus): Acceptance => {
  const isPublished = isOpen(status)
  if (status.addressesUs) return { ok: true, because: 'addresses-us' }
  if (status.followed && (isPublished || status.visibility === 'private')) return { ok: true, because: 'followed' }
  if (isPublished && status.relayed) return { ok: true, because: 'relayed' }
  if (isPublished && status.repliesToKnown) return { ok: true, because: 'replies-to-known' }
  return { ok: false, reason: 'nobody-asked' }
}

/** True for a public or unlisted status. */
export const isOpen = ({ visibility }: { visibility: string }): boolean =>
  visibility === 'public' || visibility === 'unlisted'
