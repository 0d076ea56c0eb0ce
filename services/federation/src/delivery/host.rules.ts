/** Determines the state of a host that staff sees, and parses the filter and the host name that staff enters. */
import { readDomain } from '@murmuration/activitypub/vocabulary/uri'
import type { Circuit, HeldReason } from '@murmuration/contracts/federation'
import { errorText, invalidField } from '@murmuration/contracts/kit'

export const FILTERS = ['failing', 'held', 'unavailable', 'ok'] as const
export type Filter = (typeof FILTERS)[number]

/** Parses the filter of a list of hosts; null: all hosts. Throws for an unknown filter. */
export const filterOf = (given: string | null | undefined): Filter | null => {
  if (!given) return null
  const filter = FILTERS.find((one) => one === given)
  if (filter === undefined) throw invalidField(errorText('State is none of {states}', { states: FILTERS.join(', ') }))
  return filter
}

/** The normalised form of a host name that staff entered, as hosts are stored. */
export const hostNamed = (given: string): string => readDomain(given) ?? given.trim().toLowerCase()

export interface Sending {
  failures: number
  paused_until: Date | null
  unavailable_since: Date | null
}

export const circuitOf = ({ failures, paused_until, unavailable_since }: Sending, now: Date): Circuit =>
  unavailable_since !== null
    ? 'unavailable'
    : paused_until !== null && paused_until > now
      ? 'open'
      : failures > 0
        ? 'half-open'
        : 'closed'

export const heldOf = (circuit: Circuit, blocked: boolean): HeldReason | null =>
  blocked ? 'blocked' : circuit === 'unavailable' ? 'unavailable' : circuit === 'open' ? 'paused' : null
