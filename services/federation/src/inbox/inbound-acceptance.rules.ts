/** Decides whether a delivered status is anybody's business here; what nobody asked for is not stored. */

import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

export type DeliveryFacts = {
  visibility: Visibility
  /** Somebody here follows the author. */
  followed: boolean
  /** An enabled relay brought it. */
  relayed: boolean
  /** It answers a status of somebody here, or of somebody who is followed from here. */
  answersKnown: boolean
  /** Somebody here is addressed or mentioned, or owns the inbox it came to. */
  addressesUs: boolean
}

export type Acceptance =
  | { ok: true; because: 'followed' | 'relayed' | 'answers-known' | 'addresses-us' }
  | { ok: false; reason: 'nobody-asked' }

/** Holds for deliveries only, not for what we fetched ourselves. */
export const acceptDelivery = (facts: DeliveryFacts): Acceptance => {
  const isPublished = isOpen(facts)
  if (facts.addressesUs) return { ok: true, because: 'addresses-us' }
  if (facts.followed && (isPublished || facts.visibility === 'private')) return { ok: true, because: 'followed' }
  if (isPublished && facts.relayed) return { ok: true, because: 'relayed' }
  if (isPublished && facts.answersKnown) return { ok: true, because: 'answers-known' }
  return { ok: false, reason: 'nobody-asked' }
}

/** True for a status that everybody may see. */
export const isOpen = ({ visibility }: { visibility: string }): boolean =>
  visibility === 'public' || visibility === 'unlisted'
