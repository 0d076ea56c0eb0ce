/** Order of the replies in a thread. */

export interface Below {
  id: string
  authorId: string
  /** Account that the status replies to. */
  inReplyToAccountId: string | null
}

/** Tree order, but self-replies of any author come first, in tree order. */
export const threadOrder = (below: readonly Below[]): string[] => {
  const isSelfReply = (one: Below): boolean => one.inReplyToAccountId === one.authorId
  return [...below.filter(isSelfReply), ...below.filter((one) => !isSelfReply(one))].map((one) => one.id)
}
