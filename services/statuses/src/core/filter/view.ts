/** Filter JSON, for both versions of the filters API. */
import type { FilterSummary } from '@murmuration/contracts/entities'
import type { FilterRow } from './rules.js'

/** A filter without keywords and statuses, as shown beside a match. */
export const filterSummary = (
  row: Omit<FilterRow, 'expires_at'> & { expires_at: Date | number | null },
): FilterSummary => ({
  id: row.id,
  title: row.title,
  context: row.context,
  expires_at: row.expires_at === null ? null : new Date(Number(row.expires_at)).toISOString(),
  filter_action: row.action,
})
