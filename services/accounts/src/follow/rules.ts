/** The outcome of a follow: refused, a follow, a request, or changed options. */
import { limits } from '@murmuration/contracts/limits'

export interface FollowParty {
  id: string
  /** Null for people of this server. */
  domain: string | null
  locked: boolean
  silenced: boolean
  suspended: boolean
  usable: boolean
  moved_to_id: string | null
}
export interface FollowStanding {
  following: boolean
  requested: boolean
  blocking: boolean
  blocked_by: boolean
  domain_blocking: boolean
}

export type FollowOutcome = 'hidden' | 'refused' | 'change-follow' | 'change-request' | 'request' | 'follow'

/**
 * `hidden`: as if the target were not there. A remote target, a locked one, or a limited person asking means a request;
 * the server of a remote target turns it into a follow by accepting.
 */
export const followOutcome = (
  from: FollowParty,
  to: FollowParty | null,
  standing: FollowStanding | null,
): FollowOutcome => {
  if (!to || !standing || to.suspended || !to.usable) return 'hidden'
  if (standing.blocking || standing.blocked_by || standing.domain_blocking || to.moved_to_id !== null) return 'refused'
  if (standing.following) return 'change-follow'
  if (standing.requested) return 'change-request'
  return to.locked || from.silenced || to.domain !== null ? 'request' : 'follow'
}

/** How many accounts somebody with this many followers may follow. */
export const mostFollows = (followers: number): number =>
  Math.max(limits.accounts.follows, Math.round(followers * limits.accounts.followsPerFollower))

/** Choices when nothing was said. */
export const usualChoices = { reblogs: true, notify: false, languages: null } as const
