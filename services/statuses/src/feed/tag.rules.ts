/** Does a status come into somebody’s home feed because they follow one of its hashtags? Facts: behaviours 5. */
import type { Distance } from '@murmuration/contracts/accounts'
import type { FeedStatus } from './rules.js'

/** Only public statuses of authors who are not limited come by their tags, and no boosts; unknown authors count as limited. */
export const travelsByTag = (status: {
  visibility: number
  reblog_of_id: string | null
  tags: readonly string[]
  silenced: boolean | null
}): boolean =>
  status.visibility === 0 && status.reblog_of_id === null && status.tags.length > 0 && status.silenced === false

/** Neither one’s own nor of somebody, or naming somebody, whom one keeps apart from; languages and replies do not matter. */
export const comesByTag = (
  status: Pick<FeedStatus, 'authorId' | 'mentions'>,
  receiver: { id: string; apart: readonly Distance[] },
): boolean =>
  status.authorId !== receiver.id &&
  !receiver.apart.some(({ id, blocking, muting, blocked_by, domain_blocking }) => {
    if (id === receiver.id) return false
    if (id === status.authorId) return blocking || muting || blocked_by || domain_blocking
    return status.mentions.includes(id) && (blocking || muting)
  })
