/** Decides whether a fetched authorization approves a quote or a reply (FEP-044f). */

import type { IncomingStamp } from '@murmuration/activitypub/vocabulary/read-quote'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { TrustedUri } from '../core/authority.rules.js'

export type StampRefusal = 'another-origin' | 'another-stamp' | 'another-author' | 'another-quote' | 'another-status'

/** Null if the authorization, fetched from `uri`, is by the author of the quoted (or parent) status and about these two statuses. */
export const stampFault = (
  stamp: IncomingStamp,
  quote: { uri: TrustedUri; status: Uri; quoted: Uri; quotedAuthor: Uri },
): StampRefusal | null => {
  if (!sameOrigin(quote.uri, quote.quotedAuthor)) return 'another-origin'
  if (stamp.uri !== quote.uri) return 'another-stamp'
  if (stamp.attributedTo !== quote.quotedAuthor) return 'another-author'
  if (stamp.interactingObject !== quote.status) return 'another-quote'
  return stamp.interactionTarget === null || stamp.interactionTarget === quote.quoted ? null : 'another-status'
}
