/** Decides the outcome of a follow: refused, a follow, a request, or changed options. */
import { limits } from '@murmuration/contracts/limits'

export interface FollowParty {
  id: string
  /** Domain of a remote account; null for local accounts. */
  domain: string | null
  locked: boolean
  silenced: boolean
  suspended: boolean
  usable: boolean
  moved_to_id: string | null
}
export interface FollowRelationship {
  following: boolean
  requested: boolean
  blocking: boolean
  blocked_by: boolean
  domain_blocking: boolean
}

export type FollowOutcome = 'hidden' | 'refused' | 'change-follow' | 'change-request' | 'request' | 'follow'

/**
 * Outcome of a follow of `to` by `from`. The first row that applies decides.
 *
 * | Condition | Outcome |
 * |---|---|
 * | target absent, suspended or not usable | `hidden`, as if the target did not exist |
 * | a block in either direction, a domain block by the follower, or the target moved | `refused` |
 * | followed already | `change-follow` |
 * | requested already | `change-request` |
 * | target locked or remote, or follower limited | `request`; a remote server accepts later |
 * | otherwise | `follow` |
 */
export const followOutcome = (
  from: FollowParty,
  to: FollowParty | null,
  relationship: FollowRelationship | null,
): FollowOutcome => {
  if (!to || !relationship || to.suspended || !to.usable) return 'hidden'
  if (relationship.blocking || relationship.blocked_by || relationship.domain_blocking || to.moved_to_id !== null)
    return 'refused'
  if (relationship.following) return 'change-follow'
  if (relationship.requested) return 'change-request'
  return to.locked || from.silenced || to.domain !== null ? 'request' : 'follow'
}

/** Maximum number of accounts that an account with this number of followers may follow. */
export const maxFollows = (followers: number): number =>
  Math.max(limits.accounts.follows, Math.round(followers * limits.accounts.followsPerFollower))

/** Default options of a follow. */
export const DEFAULT_FOLLOW_OPTIONS = { reblogs: true, notify: false, languages: null } as const
