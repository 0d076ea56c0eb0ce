/** Decides whether a viewer may see a status. All readers use this function; missing data means no. */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import type { Visibility } from '@murmuration/contracts/entities'

export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const satisfies readonly Visibility[]

/** Stored number of a visibility. A higher number means fewer viewers. Visibilities of a newer release count as `direct`. */
export const levelOf = (visibility: Visibility): number => {
  const level = VISIBILITIES.indexOf(visibility)
  return level < 0 ? VISIBILITIES.indexOf('direct') : level
}

/**
 * Stored number of a reply that is held for approval. A held reply is visible only to its author. `HELD` counts as the
 * narrowest visibility. A further visibility needs another number, because rows with this one exist.
 */
export const HELD = 4

/** Visibility of a stored number; `direct` for unknown numbers. */
export const visibilityOf = (level: number): Visibility => VISIBILITIES[level] ?? 'direct'

/** The one of two visibilities that fewer accounts can see. */
export const narrower = (one: Visibility, other: Visibility): Visibility =>
  levelOf(one) > levelOf(other) ? one : other

export interface Seen {
  authorId: string
  visibility: Visibility
  /** Whether the author is suspended. Null if the author's flags are not stored; the status is then hidden. */
  authorSuspended: boolean | null
  /** True if the status is held for approval, so that only its author may see it. */
  held: boolean
  /** True if the status mentions the viewer, silently or not. */
  mentionsViewer: boolean
}

/**
 * Whether the viewer may see the status; a null `viewerId` means anonymous. `relationship`: that of the viewer to the
 * author. Without a loaded relationship, a signed-in viewer sees only own statuses.
 */
export const maySee = (
  viewerId: string | null,
  status: Seen,
  relationship: AccountRelationship | undefined,
): boolean => {
  if (status.authorSuspended !== false) return false
  if (viewerId === status.authorId) return true
  if (status.held) return false
  const open = status.visibility === 'public' || status.visibility === 'unlisted'
  if (viewerId === null) return open
  if (!relationship || relationship.blocked_by) return false
  if (open || status.mentionsViewer) return true
  return status.visibility === 'private' && relationship.following
}
