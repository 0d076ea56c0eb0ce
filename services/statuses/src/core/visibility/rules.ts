/** May this viewer see this status? The one place that decides it for every reader; on doubt it is no. */
import type { Standing } from '@murmuration/contracts/accounts'
import type { Visibility } from '@murmuration/contracts/entities'

export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const satisfies readonly Visibility[]

/** The number a visibility has in the database: the higher, the fewer people see it. */
export const levelOf = (visibility: Visibility): number => VISIBILITIES.indexOf(visibility)

/**
 * The number of an answer that waits for the approval of whom it answers: its author sees it, and nobody else. As a
 * visibility it is the narrowest.
 */
export const HELD = VISIBILITIES.length

/** The visibility of a stored number; a number nobody knows is the narrowest. */
export const visibilityOf = (level: number): Visibility => VISIBILITIES[level] ?? 'direct'

/** The narrower of two visibilities. */
export const narrower = (one: Visibility, other: Visibility): Visibility =>
  levelOf(one) > levelOf(other) ? one : other

export interface Seen {
  authorId: string
  visibility: Visibility
  /** Null when nothing is known of the author: then nobody sees it. */
  authorSuspended: boolean | null
  /** Waits for approval: its author’s alone. */
  held: boolean
  /** The viewer is mentioned, silently or not. */
  mentionsViewer: boolean
}

/**
 * True when the viewer (null: anonymous) may see the status. `standing` is how the viewer stands to the author; when it
 * was not loaded, a signed-in viewer sees only what is their own.
 */
export const maySee = (viewerId: string | null, status: Seen, standing: Standing | undefined): boolean => {
  if (status.authorSuspended !== false) return false
  if (viewerId === status.authorId) return true
  if (status.held) return false
  const open = status.visibility === 'public' || status.visibility === 'unlisted'
  if (viewerId === null) return open
  if (!standing || standing.blocked_by) return false
  if (open || status.mentionsViewer) return true
  return status.visibility === 'private' && standing.following
}
