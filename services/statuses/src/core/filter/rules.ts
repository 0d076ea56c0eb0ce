/** Compiles the filters of an account, so that each status is searched once for all filters. */

import type { FilterAction, FilterContext } from '@murmuration/contracts/entities'
import { compileFilters } from '@murmuration/text'

export interface FilterRow {
  id: string
  title: string
  context: FilterContext[]
  action: FilterAction
  expires_at: Date | null
}

export interface KeywordRow {
  id: string
  keyword: string
  whole_word: boolean
}

/** A filter with its keywords and statuses. */
export interface WholeFilter extends FilterRow {
  keywords: KeywordRow[]
  statuses: { id: string; status_id: string }[]
}

/**
 * Filters of an account before compilation, with their revision. An account that never created a filter has no such
 * set.
 */
export interface FilterSet {
  account_id: string
  rev: string
  /** The filters with their end (`expires_at`) in milliseconds since 1970. */
  filters: (Omit<WholeFilter, 'expires_at'> & { expires_at: number | null })[]
}

export interface Comparable {
  id: string
  /** End of the filter in milliseconds since 1970; null if the filter never ends. */
  expires_at: number | null
  keywords: readonly { id: string; keyword: string; whole_word: boolean }[]
  statuses: readonly { status_id: string }[]
}

export interface FilterHit {
  /** Index of the matching filter in the list of filters. */
  filter: number
  /** The first keyword of the filter that the text contains, as a list of one; null if none. */
  keywords: string[] | null
  /** Ids of the status, or of the boosted one, that the filter contains; null if none. */
  statuses: string[] | null
}

/**
 * Finds the filters that match a status. `ids`: the status and the boosted one; `text` is called only if needed; `now`:
 * milliseconds.
 */
export type Matcher = (status: { ids: readonly string[]; text: () => string }, now: number) => FilterHit[]

/**
 * Compiles filters. Returns null if no filter has a keyword or a status, so that none can match. Expired filters match
 * nothing. The filter context is checked by the client.
 */
export const compileMatcher = (filters: readonly Comparable[]): Matcher | null => {
  if (filters.every((one) => one.keywords.length + one.statuses.length === 0)) return null
  const named = filters.map((one) => new Set(one.statuses.map((status) => status.status_id)))
  const find = filters.some((one) => one.keywords.length)
    ? compileFilters(
        filters.map((one) =>
          one.keywords.map(({ id, keyword, whole_word }) => ({ id, keyword, wholeWord: whole_word })),
        ),
      )
    : null
  return ({ ids, text }, now) => {
    const alive = filters.map((one) => one.expires_at === null || one.expires_at > now)
    const found = find && alive.some((yes, i) => yes && filters[i]?.keywords.length) ? find(text()) : []
    return filters.flatMap((_, filter) => {
      if (!alive[filter]) return []
      const match = found[filter]
      const covered = ids.filter((id) => named[filter]?.has(id))
      return match || covered.length
        ? [{ filter, keywords: match ? [match.keyword] : null, statuses: covered.length ? covered : null }]
        : []
    })
  }
}
