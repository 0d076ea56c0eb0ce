/** Reads uploaded filter files, one row per filter. The service statuses validates the filters. */
import { parseJson } from '@murmuration/contracts/kit'
import type { TableRow } from '../core/table.rules.js'

interface JsonObject {
  readonly [field: string]: unknown
}
const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_TITLE = 256
/** Maximum number of characters of a column in the preview. */
const MAX_SHOWN = 200

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
/** Truncates a text, and removes characters that PostgreSQL cannot store. */
const cut = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max)}…` : text).replaceAll('\u0000', '').toWellFormed()
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Rows of a filter file: title, and the filter as JSON. Null if the text is no filter file. */
export const readFilters = (text: string): TableRow[] | null => {
  try {
    const file: unknown = parseJson(text)
    if (!isJsonObject(file) || !Array.isArray(file.custom_filters)) return null
    return file.custom_filters.map((one: unknown) => ({
      cells: [cut(isJsonObject(one) ? textOf(one.title).trim() : '', MAX_TITLE), JSON.stringify(one)],
      // Every filter gets a key, because the statuses service decides which filters are invalid.
      key: 'filter',
    }))
  } catch {
    // The text is invalid JSON, or its JSON is nested too deeply.
    return null
  }
}

/** Columns of a filter in the preview: title, contexts, action, expiry, keywords and status addresses. */
export const shownFilter = ([title = '', document = '']: readonly string[]): string[] => {
  const filter: unknown = JSON.parse(document)
  if (!isJsonObject(filter)) return [title]
  const keywords = listOf(filter.keywords_attributes).map((one) => (isJsonObject(one) ? textOf(one.keyword) : ''))
  const cells = [
    listOf(filter.context).map(textOf).join(', '),
    textOf(filter.action),
    textOf(filter.expires_at),
    keywords.filter(Boolean).join(', '),
    listOf(filter.statuses).map(textOf).join(', '),
  ]
  return [title, ...cells.map((cell) => cut(cell, MAX_SHOWN))]
}
