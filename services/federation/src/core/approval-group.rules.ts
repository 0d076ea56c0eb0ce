/** Names the groups that a policy of another server lets do something. */

import type { IncomingPolicy } from '@murmuration/activitypub/vocabulary/note'
import { publicCollection, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { ApprovalGroup } from '@murmuration/contracts/entities'

/** The owner alone means that no other account may. Unknown groups are `unsupported_policy`. */
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
