/** Decides whether a follower's home feed and lists receive a status. */
import type { BlockState, Follower } from '@murmuration/contracts/accounts'

/** Fields of a status that the feed decision reads. `original`: the boosted status; null for other statuses. */
export interface FeedStatus {
  id: string
  authorId: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  language: string | null
  /** True if the status is a reply, even if its parent is unknown. */
  isReply: boolean
  /** Account that the status replies to; null for other statuses, and if the parent is unknown. */
  inReplyToAccountId: string | null
  mentions: readonly string[]
  original: { id: string; authorId: string; mentions: readonly string[] } | null
}

/** A follower with all data that the decision needs. */
export interface Receiver extends Follower {
  /** Blocks and mutes between the receiver and the accounts that the status names. */
  blockStates: readonly BlockState[]
  /** True if the receiver follows the account that the status replies to. */
  followsParentAuthor: boolean
  /** Lists of the receiver that contain the account that the status replies to. */
  listsOfParentAuthor: readonly string[]
}

export interface Places {
  home: boolean
  lists: string[]
}

/** Whether blocks, mutes, languages or visibility keep a status from home feed and lists alike. */
const isRefused = (status: FeedStatus, receiver: Receiver): boolean => {
  if (status.visibility === 'direct' && !status.mentions.includes(receiver.id)) return true
  if (status.isReply && status.inReplyToAccountId === null) return true
  if (receiver.languages && status.language !== null && !receiver.languages.includes(status.language)) return true
  if (status.original !== null && !receiver.reblogs) return true
  const named = [...status.mentions, ...(status.original?.mentions ?? [])]
  return receiver.blockStates.some(({ id, blocking, muting, blocked_by, domain_blocking }) => {
    if (id === receiver.id) return false
    if (named.includes(id) && (blocking || muting)) return true
    if (id === status.authorId) return blocking || muting || blocked_by
    return id === status.original?.authorId && (blocking || muting || blocked_by || domain_blocking)
  })
}

/**
 * Whether the home feed receives a reply: the receiver follows or is the author of the parent, or the author replies to
 * themselves.
 */
const followsReply = (status: FeedStatus, receiver: Receiver): boolean =>
  !status.isReply ||
  status.inReplyToAccountId === receiver.id ||
  status.inReplyToAccountId === status.authorId ||
  receiver.followsParentAuthor

/** Whether a list receives a status. Direct statuses are only in the home feed and in conversations. */
const inList = (status: FeedStatus, receiver: Receiver, list: Follower['lists'][number]): boolean => {
  if (status.visibility === 'direct') return false
  if (!status.isReply || status.inReplyToAccountId === receiver.id || status.inReplyToAccountId === status.authorId)
    return true
  if (list.replies === 'followed') return receiver.followsParentAuthor
  return list.replies === 'list' && receiver.listsOfParentAuthor.includes(list.id)
}

/**
 * Feeds of one receiver that get a status of a followed author. This function is not called for own statuses, which are
 * never filtered.
 */
export const placesFor = (status: FeedStatus, receiver: Receiver): Places => {
  if (isRefused(status, receiver)) return { home: false, lists: [] }
  const exclusive = receiver.lists.some((list) => list.exclusive)
  return {
    home: !exclusive && followsReply(status, receiver),
    lists: receiver.lists.filter((list) => inList(status, receiver, list)).map((list) => list.id),
  }
}
