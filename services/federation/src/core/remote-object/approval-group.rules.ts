/** Converts interaction policies of other servers (who may quote, reply or feature) to group names. */

import type { IncomingPolicy } from '@murmuration/activitypub/vocabulary/note'
import { publicCollection, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { ApprovalGroup } from '@murmuration/contracts/entities'

/**
 * Group names of the URIs in a policy, without duplicates.
 *
 * | URI | Group |
 * |---|---|
 * | public collection | `public` |
 * | followers or following of the owner | `followers`, `following` |
 * | the owner | none: a policy with the owner alone permits no other account |
 * | any other | `unsupported_policy` |
 */
export const policyGroups = (
  policy: IncomingPolicy,
  known: { owner: Uri; followers: Uri | null; following: Uri | null },
): { automatic: ApprovalGroup[]; manual: ApprovalGroup[] } => {
  const groupOf = (uri: Uri): ApprovalGroup | null => {
    if (uri === publicCollection) return 'public'
    if (uri === known.followers) return 'followers'
    if (uri === known.following) return 'following'
    return uri === known.owner ? null : 'unsupported_policy'
  }
  const groups = (uris: readonly Uri[]): ApprovalGroup[] => [...new Set(uris.map(groupOf).filter((it) => it !== null))]
  return { automatic: groups(policy.automatic), manual: groups(policy.manual) }
}
