/** Filter JSON, in both forms. */
import type { Filter, V1Filter } from '@murmuration/contracts/entities'
import type { FilterRow, KeywordRow, WholeFilter } from '../core/filter/rules.js'
import { filterSummary } from '../core/filter/view.js'

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
