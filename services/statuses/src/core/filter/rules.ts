/** Filters of one person made ready to be compared: each status is read once, however many filters there are. */

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

/** A filter with everything in it. */
export interface WholeFilter extends FilterRow {
  keywords: KeywordRow[]
  statuses: { id: string; status_id: string }[]
}

/** Filters of an account before compilation, with their revision; accounts that never made one are absent. */
export interface FilterSet {
  account_id: string
  rev: string
  /** `expires_at` in milliseconds since 1970. */
  filters: (Omit<WholeFilter, 'expires_at'> & { expires_at: number | null })[]
}

export interface Comparable {
  id: string
  /** Milliseconds since 1970, null for never. */
  expires_at: number | null
  keywords: readonly { id: string; keyword: string; whole_word: boolean }[]
  statuses: readonly { status_id: string }[]
}

export interface FilterHit {
  /** Place among the filters. */
  filter: number
  /** The words found, null when none are. */
  keywords: string[] | null
  /** Ids of the status, or of what it boosts, that the filter names. */
  statuses: string[] | null
}

/** Finds what filters say about a status: `ids` are its own and the boosted one’s; `text` is asked when it is needed. */
export type Matcher = (status: { ids: readonly string[]; text: () => string }, now: number) => FilterHit[]

/** Null when no filter can ever match. Expired ones match nothing; whether the place fits is for the client to say. */
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
