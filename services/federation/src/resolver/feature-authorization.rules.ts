/** Decides whether a fetched FeatureAuthorization is valid: the consent of an account to be in a collection (FEP-7aa9). */
import type { IncomingFeatureAuthorization } from '@murmuration/activitypub/vocabulary/read-featured-collection'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { TrustedUri } from '../core/activity/authority.rules.js'

export type AuthorizationRefusal = 'another-origin' | 'another-id' | 'another-account' | 'another-collection'

/**
 * Null if the authorization, fetched from `uri`, is on the server of `account`, and is about `account` and
 * `collection`; else the reason.
 */
export const authorizationFault = (
  given: IncomingFeatureAuthorization,
  it: { uri: TrustedUri; collection: Uri; account: Uri },
): AuthorizationRefusal | null => {
  if (!sameOrigin(it.uri, it.account)) return 'another-origin'
  if (given.uri !== it.uri) return 'another-id'
  if (given.interactionTarget !== it.account) return 'another-account'
  return given.interactingObject === it.collection ? null : 'another-collection'
}
