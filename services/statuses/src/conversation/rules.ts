/** Finds the conversations that a direct status belongs to: their owners and participants. */
import { createHash } from 'node:crypto'

export interface DirectStatus {
  author: string
  /** Ids of the mentioned accounts. Accounts with access that are not mentioned are omitted. */
  mentions: readonly string[]
}

export interface Assignment {
  owner: string
  /**
   * Ids of the other accounts of the conversation, without its owner, sorted. Empty if the author writes only to
   * themselves.
   */
  participants: string[]
  /** Hash of the participants: equal for the same accounts. */
  key: string
  unread: boolean
}

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1)

/**
 * Returns one conversation of a direct status for each of its author and mentioned accounts that is in `owners`. The
 * status is never unread for its author.
 */
export const conversationsOf = (status: DirectStatus, owners: ReadonlySet<string>): Assignment[] => {
  const everybody = [...new Set([status.author, ...status.mentions])].sort(byNumber)
  return everybody
    .filter((one) => owners.has(one))
    .map((owner) => {
      const participants = everybody.filter((one) => one !== owner)
      const key = createHash('sha256').update(participants.join()).digest('base64url')
      return { owner, participants, key, unread: owner !== status.author }
    })
}
