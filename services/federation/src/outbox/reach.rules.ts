/** Recipients of a local status: followers and mentioned accounts, never more than its visibility allows. */
import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

export interface ReachInput {
  readonly visibility: Visibility
  readonly author: string
  /** Ids of mentioned accounts, including silent mentions. */
  readonly mentions: readonly string[]
  readonly inReplyToAuthor: string | null
  readonly reblogOfAuthor: string | null
  readonly quotedAuthor: string | null
}

export interface Reach {
  /** Ids of accounts whose remote followers receive the status. */
  readonly followersOf: readonly string[]
  /** Ids of accounts that receive the status themselves. */
  readonly accounts: readonly string[]
}

const without = (ids: readonly (string | null)[], author: string): string[] => [
  ...new Set(ids.filter((id) => id !== null && id !== author) as string[]),
]

/**
 * Recipients of a status. The account to which a status replies is a recipient only if the status is public or
 * unlisted, or mentions it.
 */
export const reachOf = (it: ReachInput): Reach => {
  const { author, mentions, inReplyToAuthor, reblogOfAuthor, quotedAuthor } = it
  switch (it.visibility) {
    case 'public':
    case 'unlisted':
      return {
        // Followers of the author of the parent also receive the reply.
        followersOf: [author, ...without([inReplyToAuthor], author)],
        accounts: without([...mentions, inReplyToAuthor, reblogOfAuthor, quotedAuthor], author),
      }
    case 'private':
      return { followersOf: [author], accounts: without([...mentions, reblogOfAuthor], author) }
    default:
      return { followersOf: [], accounts: without(mentions, author) }
  }
}
