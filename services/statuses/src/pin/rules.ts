/** Rules of pins: an account may pin own public, unlisted and private statuses (S-011). */
import type { Visibility } from '@murmuration/contracts/entities'

/** Error message if the status may not be pinned, in the words that clients know; otherwise null. */
export const whyNotPinned = (
  viewerId: string,
  status: { authorId: string; isReblog: boolean; visibility: Visibility },
): string | null => {
  if (status.isReblog) return 'A boost cannot be pinned'
  if (status.authorId !== viewerId) return "Someone else's post cannot be pinned"
  return status.visibility === 'direct' ? 'Posts that are only visible to mentioned users cannot be pinned' : null
}
