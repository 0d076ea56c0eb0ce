/**
 * Decides whether a place (home, list, search, …) hides a visible status, for example because of a block. Pure; missing
 * relationships hide the status.
 */
import type { AccountRelationship } from '@murmuration/contracts/accounts'

export type Place =
  | 'home'
  | 'list'
  | 'public'
  | 'thread'
  | 'search'
  | 'account'
  | 'notifications'
  | 'report'
  | 'direct'
  /**
   * `single`: one status by id, or a list of the viewer's own bookmarks or favourites. Only the visibility of the
   * status is checked.
   */
  | 'single'

export interface Placed {
  authorId: string
  authorSilenced: boolean
  /** Author of the boosted status; null if the status is no boost. */
  reblogOfAuthorId: string | null
  mentions: readonly string[]
}

type Relationships = ReadonlyMap<string, AccountRelationship>

/**
 * Whether the viewer or the author blocks the other, or the viewer mutes the author or blocks the author's domain. Also
 * true without a relationship.
 */
const isUnwanted = (relationship: AccountRelationship | undefined): boolean =>
  relationship === undefined ||
  relationship.blocking ||
  relationship.blocked_by ||
  relationship.muting ||
  relationship.domain_blocking

const isShunned = (relationship: AccountRelationship | undefined): boolean =>
  relationship !== undefined && (relationship.blocking || relationship.muting)

/** Accounts of one status whose relationship to the viewer decides whether a place shows the status. */
export const subjectsOf = (place: Place, status: Placed): string[] => [
  status.authorId,
  ...(status.reblogOfAuthorId === null ? [] : [status.reblogOfAuthorId]),
  ...(place === 'home' || place === 'list' ? status.mentions : []),
]

/** Whether a place hides the status from the viewer. Own statuses are never hidden. */
export const isHidden = (
  place: Place,
  viewerId: string | null,
  status: Placed,
  relationships: Relationships,
): boolean => {
  if (viewerId === null) return place === 'thread' && status.authorSilenced
  if (status.authorId === viewerId) return false
  const author = relationships.get(status.authorId)
  const original = status.reblogOfAuthorId
  switch (place) {
    case 'home':
    case 'list':
      return (
        isUnwanted(author) ||
        (original !== null && original !== viewerId && isUnwanted(relationships.get(original))) ||
        status.mentions.some((id) => id !== viewerId && isShunned(relationships.get(id)))
      )
    case 'public':
      return isUnwanted(author)
    case 'thread':
    case 'search':
      return isUnwanted(author) || (status.authorSilenced && !author?.following)
    case 'account':
      return original !== null && original !== viewerId && isUnwanted(relationships.get(original))
    default:
      return false
  }
}
