/** Columns that a reply takes from its parent, which replies public timelines contain, and the order of threads. */
import { fail } from '@murmuration/contracts/kit'

export interface Parent {
  id: string
  authorId: string
  /** Account that the parent itself replies to; null if the parent is no reply. */
  inReplyToAccountId: string | null
  conversationId: string
}

export interface ReplyColumns {
  in_reply_to_id: string
  in_reply_to_author_id: string
  /** Account shown as the one replied to. For a self-reply, the account that the parent replies to. */
  in_reply_to_account_id: string
  conversation_id: string
}

export const replyTo = (parent: Parent, authorId: string): ReplyColumns => ({
  in_reply_to_id: parent.id,
  in_reply_to_author_id: parent.authorId,
  in_reply_to_account_id:
    parent.authorId === authorId && parent.inReplyToAccountId !== null ? parent.inReplyToAccountId : parent.authorId,
  conversation_id: parent.conversationId,
})

export const parentMissing = () => fail('not_found', 'The post you are trying to reply to does not appear to exist.')

/**
 * Whether public timelines contain the status: public, not a boost, and not a reply to another author. A reply whose
 * parent is not stored here counts as a reply to another author.
 */
export const isListed = (status: {
  visibility: string
  authorId: string
  isReblog: boolean
  isReply: boolean
  inReplyToAccountId: string | null
}): boolean =>
  status.visibility === 'public' &&
  !status.isReblog &&
  (!status.isReply || status.inReplyToAccountId === status.authorId)

/**
 * Cuts a list of ancestor ids before the first id that is repeated or equals `start`, because parents of remote
 * statuses may form a cycle.
 */
export const untilRepeated = (start: string, ids: readonly string[]): string[] => {
  const seen = new Set([start])
  for (const [at, id] of ids.entries()) {
    if (seen.has(id)) return ids.slice(0, at)
    seen.add(id)
  }
  return [...ids]
}

/** A reply and its parent. */
export interface ReplyEdge {
  id: string
  parent: string
  /** False if the viewer may not see the reply. Replies to this reply may still be shown. */
  shown: boolean
}

/** Shown replies below `root`, each before its own replies. Replies of one parent keep their order. Cycles are cut. */
export const treeOrder = (root: string, edges: readonly ReplyEdge[]): string[] => {
  const below = Map.groupBy(edges, (edge) => edge.parent)
  const seen = new Set([root])
  const ordered: string[] = []
  const left = below.get(root)?.toReversed() ?? []
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next.id)) continue
    seen.add(next.id)
    if (next.shown) ordered.push(next.id)
    for (const edge of below.get(next.id)?.toReversed() ?? []) left.push(edge)
  }
  return ordered
}
