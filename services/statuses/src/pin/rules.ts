/** Statuses that may be pinned: one’s own public, unlisted and private statuses (S-011). */
import type { Visibility } from '@murmuration/contracts/entities'

/** The refusal in the words clients know, or null when the status may be pinned. */
export const whyNotPinned = (
  viewerId: string,
  status: { authorId: string; isReblog: boolean; visibility: Visibility },
): string | null => {
  if (status.isReblog) return 'A boost cannot be pinned'
  if (status.authorId !== viewerId) return "Someone else's post cannot be pinned"
  return status.visibility === 'direct' ? 'Posts that are only visible to mentioned users cannot be pinned' : null
}
