/** Order of the replies in a thread. */

export interface Below {
  id: string
  authorId: string
  /** Account that the status replies to; null if unknown. */
  inReplyToAccountId: string | null
}

/** Orders replies as a tree, each before its own replies. Replies by an author to their own statuses come first. */
export const threadOrder = (below: readonly Below[]): string[] => {
  const isSelfReply = (one: Below): boolean => one.inReplyToAccountId === one.authorId
  return [...below.filter(isSelfReply), ...below.filter((one) => !isSelfReply(one))].map((one) => one.id)
}
