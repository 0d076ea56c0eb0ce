/** Columns that a reply takes from its parent, and which replies public timelines contain. */
import { fail } from '@murmuration/contracts/kit'

export interface Parent {
  id: string
  authorId: string
  /** Account that the parent replies to. */
  inReplyToAccountId: string | null
  conversationId: string
}

export interface ReplyFacts {
  in_reply_to_id: string
  in_reply_to_author_id: string
  /** Account shown as the one replied to. For a self-reply, the account that the parent replies to. */
  in_reply_to_account_id: string
  conversation_id: string
}

export const replyTo = (parent: Parent, authorId: string): ReplyFacts => ({
  in_reply_to_id: parent.id,
  in_reply_to_author_id: parent.authorId,
  in_reply_to_account_id:
    parent.authorId === authorId && parent.inReplyToAccountId !== null ? parent.inReplyToAccountId : parent.authorId,
  conversation_id: parent.conversationId,
})

export const parentMissing = () => fail('not_found', 'The post you are trying to reply to does not appear to exist.')

/**
 * Whether public timelines contain the status: public, not a boost, and not a reply to another author. A reply without
 * a known parent counts as a reply to another author.
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
