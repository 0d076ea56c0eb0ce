/** Filter JSON, in both forms. */
import type { Filter, FilterSummary, V1Filter } from '@murmuration/contracts/entities'
import type { FilterRow, KeywordRow, WholeFilter } from '../store/filter.js'

/** A filter without what is in it, as it stands beside a match. */
export const filterSummary = (
  row: Omit<FilterRow, 'expires_at'> & { expires_at: Date | number | null },
): FilterSummary => ({
  id: row.id,
  title: row.title,
  context: row.context,
  expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  filter_action: row.action,
})

export const filterShown = (row: WholeFilter): Filter => ({
  ...filterSummary(row),
  keywords: row.keywords,
  statuses: row.statuses,
})

/** The older form: one keyword with what its filter says (S-052). */
export const v1FilterShown = (row: FilterRow, keyword: KeywordRow): V1Filter => ({
  id: keyword.id,
  phrase: keyword.keyword,
  context: row.context,
  whole_word: keyword.whole_word,
  expires_at: row.expires_at?.toISOString() ?? null,
  irreversible: row.action === 'hide',
})
