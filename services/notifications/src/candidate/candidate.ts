/** A candidate for notifications: what happened, which account caused it, and which accounts may be notified. */
import type { NotificationType } from '@murmuration/contracts/entities'

export interface Candidate {
  readonly type: NotificationType
  /** Account ids. Remote accounts and those that must not be notified are left out later. */
  readonly recipients: readonly string[]
  /** Names the activity; one notification per recipient, type and source. */
  readonly source: string
  /** Status to show. */
  readonly status: string | null
  /** Of a mention: all accounts that the status mentions or replies to. */
  readonly participants?: readonly string[]
  /** Only the mentioned accounts can read the status. */
  readonly direct?: boolean
  /** Replaces an earlier notification of the same type and source. */
  readonly replaces?: boolean
  /** Data to show besides the account and the status. */
  readonly detail?: unknown
  /** The detail may have changed before an account was notified. */
  readonly changes?: boolean
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
}

/** How activities are named in `source`. */
export const sources = {
  status: (id: string) => `status:${id}`,
  quote: (id: string) => `quote:${id}`,
  favourite: (id: string) => `favourite:${id}`,
  follow: (id: string) => `follow:${id}`,
  followRequest: (id: string) => `follow-request:${id}`,
  account: (id: string) => `account:${id}`,
  report: (id: string) => `report:${id}`,
  strike: (id: string) => `strike:${id}`,
  collection: (id: string) => `collection:${id}`,
  collectionItem: (id: string) => `collection-item:${id}`,
  annualReport: (id: string) => `annual-report:${id}`,
  severance: (id: string) => `severance:${id}`,
}
