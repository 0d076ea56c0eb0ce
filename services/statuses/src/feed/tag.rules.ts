/** Decides whether a home feed receives a status because of a followed hashtag. */
import type { BlockState } from '@murmuration/contracts/accounts'
import type { FeedStatus } from './rules.js'

/**
 * Whether a status reaches followers of its hashtags: public, not a boost, and by an author who is known not to be
 * limited.
 */
export const isSentByTag = (status: {
  visibility: number
  reblog_of_id: string | null
  tags: readonly string[]
  silenced: boolean | null
}): boolean =>
  status.visibility === 0 && status.reblog_of_id === null && status.tags.length > 0 && status.silenced === false

/**
 * Whether a follower of a hashtag receives a status of another account. A block or mute between the follower and an
 * account that the status names prevents this. Languages and reply rules do not apply.
 */
export const receivesByTag = (
  status: Pick<FeedStatus, 'authorId' | 'mentions'>,
  receiver: { id: string; blockStates: readonly BlockState[] },
): boolean =>
  status.authorId !== receiver.id &&
  !receiver.blockStates.some(({ id, blocking, muting, blocked_by, domain_blocking }) => {
    if (id === receiver.id) return false
    if (id === status.authorId) return blocking || muting || blocked_by || domain_blocking
    return status.mentions.includes(id) && (blocking || muting)
  })
