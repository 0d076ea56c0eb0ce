/** The order in which a thread is read. */

export interface Below {
  id: string
  authorId: string
  /** Account that it answers. */
  inReplyToAccountId: string | null
}

/** Tree order, but what authors answer to themselves comes first, in its own order (facts: limits 1). */
export const threadOrder = (below: readonly Below[]): string[] => {
  const isSelfReply = (one: Below): boolean => one.inReplyToAccountId === one.authorId
  return [...below.filter(isSelfReply), ...below.filter((one) => !isSelfReply(one))].map((one) => one.id)
}
