/** Query of counters by day. */

export interface DayCountQuery {
  metric: string
  /** Exact keys, and key prefixes (`under`). If both `keys` and `under` are absent, all keys are read. */
  keys?: readonly string[] | undefined
  under?: readonly string[] | undefined
  /** First and last key of a range, both included. */
  between?: readonly [string, string] | undefined
  /** First and last day, as `YYYY-MM-DD`, both included. */
  since?: string | undefined
  until?: string | undefined
  /** Grouping of the sums; an empty list gives one sum. */
  by: readonly ('day' | 'key')[]
  /** Part of the key to sum by, counted from 1. Parts are separated by `/`. */
  part?: number | undefined
  /** True groups by month `YYYY-MM` instead of day. Days in keys are shortened to months as well. */
  months?: boolean | undefined
  /** Maximum number of sums; the largest are returned. */
  largest?: number | undefined
}
