/** Reads the filters of a request for a list of notifications. */
import type { NotificationType } from '@murmuration/contracts/entities'
import { wantedTypes } from './type.rules.js'

export interface Narrowing {
  /** Notification types to list; null for all types. */
  types: readonly NotificationType[] | null
  /** Account id of the sender; null for all senders. */
  from: string | null
  withFiltered: boolean
}

/** Returns the filters of a request for notifications. If the request names a sender, filtered notifications are included. */
export const narrowingOf = (input: {
  types?: readonly string[] | undefined
  exclude_types?: readonly string[] | undefined
  account_id?: string | undefined
  include_filtered?: boolean | undefined
}): Narrowing => ({
  types: wantedTypes(input.types, input.exclude_types),
  from: input.account_id ?? null,
  withFiltered: input.include_filtered === true || input.account_id !== undefined,
})
