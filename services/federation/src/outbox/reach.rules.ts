/** Recipients of a local status: followers and mentioned accounts, never more than its visibility allows. */
import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

export interface StatusFacts {
  readonly visibility: Visibility
  readonly author: string
  /** Account ids, with silent mentions. */
  readonly mentions: readonly string[]
  readonly inReplyToAuthor: string | null
  readonly reblogOfAuthor: string | null
  readonly quotedAuthor: string | null
}

export interface Reach {
  /** Accounts whose remote followers receive the status. */
  readonly followersOf: readonly string[]
  /** Accounts that get it themselves. */
  readonly people: readonly string[]
}

const without = (ids: readonly (string | null)[], author: string): string[] => [
  ...new Set(ids.filter((id) => id !== null && id !== author) as string[]),
]

/** A mention or a reply never widens the audience of a status that is not public. */
export const reachOf = (it: StatusFacts): Reach => {
  const { author, mentions, inReplyToAuthor, reblogOfAuthor, quotedAuthor } = it
  switch (it.visibility) {
    case 'public':
    case 'unlisted':
      return {
        // Followers of the author of the thread also receive its replies.
        followersOf: [author, ...without([inReplyToAuthor], author)],
        people: without([...mentions, inReplyToAuthor, reblogOfAuthor, quotedAuthor], author),
      }
    case 'private':
      return { followersOf: [author], people: without([...mentions, reblogOfAuthor], author) }
    default:
      return { followersOf: [], people: without(mentions, author) }
  }
}
