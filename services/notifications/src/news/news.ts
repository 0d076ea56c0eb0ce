/** A piece of news: what happened, who caused it, and whom it may concern. */
import type { NotificationType } from '@murmuration/contracts/entities'

export interface News {
  readonly type: NotificationType
  /** Account ids; remote ones and people who must not be told are left out later. */
  readonly recipients: readonly string[]
  /** Names the activity; one notification per recipient, type and source. */
  readonly source: string
  /** Status to show. */
  readonly status: string | null
  /** Of a mention: everybody it names or answers. */
  readonly participants?: readonly string[]
  /** Only the people it names can read it. */
  readonly direct?: boolean
  /** Takes the place of an earlier one of the same type and source. */
  readonly replaces?: boolean
  /** Facts to show besides the account and the status. */
  readonly detail?: unknown
  /** They may have changed before anybody was told. */
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
