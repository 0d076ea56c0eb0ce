/** A notification candidate: an activity and the accounts that may be notified of it, before the decision about each recipient. */
import type { NotificationType } from '@murmuration/contracts/entities'

export interface Candidate {
  readonly type: NotificationType
  /** Account ids of the accounts that may be notified. `evaluate` removes remote accounts and accounts that must not be notified. */
  readonly recipients: readonly string[]
  /** Text that identifies the activity, see `sources`. There is at most one notification per recipient, type and source. */
  readonly source: string
  /** Id of the status that the notification shows, or null. */
  readonly status: string | null
  /** For a mention: all accounts that the status mentions or replies to. */
  readonly participants?: readonly string[]
  /** True if the visibility of the status is `direct`. */
  readonly direct?: boolean
  /** True if the new notification replaces an earlier one of the same recipient, type and source. Otherwise the earlier one stays. */
  readonly replaces?: boolean
  /**
   * JSON that the notification shows besides the account and the status. The shape of the JSON depends on the type, see
   * `core/detail.ts`.
   */
  readonly detail?: unknown
  /**
   * True if a change of the detail may be received before this candidate. The change is then stored by
   * `storeSourceState`, and merged into the detail.
   */
  readonly changes?: boolean
  /** Time of the activity, in milliseconds since 1970. */
  readonly at: number
}

/** Functions that return the `source` for each kind of activity. */
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
