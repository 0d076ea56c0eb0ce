/** Does a status belong into this follower’s home feed, and into which of their lists? The table of facts: behaviours 5 and 6. */
import type { Distance, Follower } from '@murmuration/contracts/accounts'

/** Fields of a status that the feed decision reads; of a boost, `original` is the boosted one. */
export interface FeedStatus {
  id: string
  authorId: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  language: string | null
  /** It answers something, known or not. */
  isReply: boolean
  /** Account that it answers; null when its parent is not known. */
  inReplyToAccountId: string | null
  mentions: readonly string[]
  original: { id: string; authorId: string; mentions: readonly string[] } | null
}

/** One receiver with all that the decision needs of them. */
export interface Receiver extends Follower {
  /** From whom of those named in the status they keep apart. */
  apart: readonly Distance[]
  /** They follow whom the status answers. */
  followsAnswered: boolean
  /** Their lists that hold whom the status answers. */
  listsOfAnswered: readonly string[]
}

export interface Places {
  home: boolean
  lists: string[]
}

/** Blocks, mutes, languages, direct statuses: what keeps a status from home and lists alike. */
const isRefused = (status: FeedStatus, receiver: Receiver): boolean => {
  if (status.visibility === 'direct' && !status.mentions.includes(receiver.id)) return true
  if (status.isReply && status.inReplyToAccountId === null) return true
  if (receiver.languages && status.language !== null && !receiver.languages.includes(status.language)) return true
  if (status.original !== null && !receiver.reblogs) return true
  const named = [...status.mentions, ...(status.original?.mentions ?? [])]
  return receiver.apart.some(({ id, blocking, muting, blocked_by, domain_blocking }) => {
    if (id === receiver.id) return false
    if (named.includes(id) && (blocking || muting)) return true
    if (id === status.authorId) return blocking || muting || blocked_by
    return id === status.original?.authorId && (blocking || muting || blocked_by || domain_blocking)
  })
}

/** A reply goes to those who follow both sides, to whom it answers, and along an author’s own thread. */
const followsReply = (status: FeedStatus, receiver: Receiver): boolean =>
  !status.isReply ||
  status.inReplyToAccountId === receiver.id ||
  status.inReplyToAccountId === status.authorId ||
  receiver.followsAnswered

/** Direct statuses are for home and conversations; lists hold what their members tell all of their followers. */
const inList = (status: FeedStatus, receiver: Receiver, list: Follower['lists'][number]): boolean => {
  if (status.visibility === 'direct') return false
  if (!status.isReply || status.inReplyToAccountId === receiver.id || status.inReplyToAccountId === status.authorId)
    return true
  if (list.replies === 'none') return false
  return list.replies === 'followed' ? receiver.followsAnswered : receiver.listsOfAnswered.includes(list.id)
}

/** Where a status of a followed author goes for one receiver. Own statuses are never filtered and are not asked about here. */
export const placesFor = (status: FeedStatus, receiver: Receiver): Places => {
  if (isRefused(status, receiver)) return { home: false, lists: [] }
  const exclusive = receiver.lists.some((list) => list.exclusive)
  return {
    home: !exclusive && followsReply(status, receiver),
    lists: receiver.lists.filter((list) => inList(status, receiver, list)).map((list) => list.id),
  }
}
