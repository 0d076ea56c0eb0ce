/** Conversations that a direct status belongs to: their owners and participants. */
import { createHash } from 'node:crypto'

export interface DirectStatus {
  author: string
  /** Everybody it names; who has access without being named is left out. */
  mentions: readonly string[]
}

export interface Filed {
  owner: string
  /** The others, sorted; empty when somebody writes to themselves. */
  participants: string[]
  /** The same for the same people. */
  key: string
  unread: boolean
}

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1)

/** One conversation for each owner, a local account. A status is never unread for its own author. */
export const conversationsOf = (status: DirectStatus, owners: ReadonlySet<string>): Filed[] => {
  const everybody = [...new Set([status.author, ...status.mentions])].sort(byNumber)
  return everybody
    .filter((one) => owners.has(one))
    .map((owner) => {
      const participants = everybody.filter((one) => one !== owner)
      const key = createHash('sha256').update(participants.join()).digest('base64url')
      return { owner, participants, key, unread: owner !== status.author }
    })
}
