/** Columns that a reply takes over from its parent. */
import { fail } from '@murmuration/contracts/kit'

export interface Parent {
  id: string
  authorId: string
  /** Account that the parent answers. */
  inReplyToAccountId: string | null
  conversationId: string
}

export interface ReplyFacts {
  in_reply_to_id: string
  in_reply_to_author_id: string
  /** Account that the reply is shown to answer: for a self-reply in a thread, the one that the thread answers. */
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
 * True when public timelines hold the status: public, an original, and no reply to somebody else. A reply without a
 * known parent answers somebody else.
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
