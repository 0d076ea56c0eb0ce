/** Filter JSON, for both versions of the filters API. */
import type { Filter, V1Filter } from '@murmuration/contracts/entities'
import type { FilterRow, KeywordRow, WholeFilter } from '../core/filter/rules.js'
import { filterSummary } from '../core/filter/view.js'

export const filterShown = (row: WholeFilter): Filter => ({
  ...filterSummary(row),
  keywords: row.keywords,
  statuses: row.statuses,
})

/** Filter of API version 1: one keyword with the properties of its filter (S-052). */
export const v1FilterShown = (row: FilterRow, keyword: KeywordRow): V1Filter => ({
  id: keyword.id,
  phrase: keyword.keyword,
  context: row.context,
  whole_word: keyword.whole_word,
  expires_at: row.expires_at?.toISOString() ?? null,
  irreversible: row.action === 'hide',
})
