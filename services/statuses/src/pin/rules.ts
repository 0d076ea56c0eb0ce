/** Rules of pins: an account may pin own public, unlisted and private statuses (S-011). */
import type { Visibility } from '@murmuration/contracts/entities'
import { type ErrorText, errorText } from '@murmuration/contracts/kit'

/** Error message if the status may not be pinned, in the words that clients know; otherwise null. */
export const pinProblem = (
  viewerId: string,
  status: { authorId: string; isReblog: boolean; visibility: Visibility },
): ErrorText | null => {
  if (status.isReblog) return errorText('A boost cannot be pinned')
  if (status.authorId !== viewerId) return errorText("Someone else's post cannot be pinned")
  return status.visibility === 'direct'
    ? errorText('Posts that are only visible to mentioned users cannot be pinned')
    : null
}
