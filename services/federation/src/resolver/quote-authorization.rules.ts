/** Decides whether a fetched authorization approves a quote or a reply (FEP-044f). */

import type { IncomingAuthorization } from '@murmuration/activitypub/vocabulary/read-quote'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { TrustedUri } from '../core/activity/authority.rules.js'

export type AuthorizationRefusal =
  | 'another-origin'
  | 'another-authorization'
  | 'another-author'
  | 'another-quote'
  | 'another-status'

/**
 * Null if the authorization, fetched from `uri`, is by the author of the quoted (or parent) status, and is about the
 * two statuses; else the reason.
 */
export const authorizationFault = (
  authorization: IncomingAuthorization,
  quote: { uri: TrustedUri; status: Uri; quoted: Uri; quotedAuthor: Uri },
): AuthorizationRefusal | null => {
  if (!sameOrigin(quote.uri, quote.quotedAuthor)) return 'another-origin'
  if (authorization.uri !== quote.uri) return 'another-authorization'
  if (authorization.attributedTo !== quote.quotedAuthor) return 'another-author'
  if (authorization.interactingObject !== quote.status) return 'another-quote'
  return authorization.interactionTarget === null || authorization.interactionTarget === quote.quoted
    ? null
    : 'another-status'
}
