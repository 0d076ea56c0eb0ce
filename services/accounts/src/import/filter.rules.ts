/** Filters that people bring along as a file: what stands in it, one row each; whether they are filters is decided where they are kept. */
import { parseJson } from '@murmuration/contracts/kit'
import type { TableRow } from '../core/table.rules.js'

interface Loose {
  readonly [field: string]: unknown
}
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)

const MOST_TITLE = 256
/** The columns that are shown of a filter: title, places, action, end, keywords, addresses of posts. */
const MOST_SHOWN = 200

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
/** Cut to a length, without what PostgreSQL cannot store. */
const cut = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replaceAll('\u0000', '').toWellFormed()
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The filters of a file as rows of a title and the filter itself; null when it is no file of filters. */
export const readFilters = (text: string): TableRow[] | null => {
  try {
    const file: unknown = parseJson(text)
    if (!isLoose(file) || !Array.isArray(file.custom_filters)) return null
    return file.custom_filters.map((one: unknown) => ({
      cells: [cut(isLoose(one) ? textOf(one.title).trim() : '', MOST_TITLE), JSON.stringify(one)],
      // Every row means something to who keeps filters, if only that it is none.
      key: 'filter',
    }))
  } catch {
    // No JSON, or deeper than any of ours.
    return null
  }
}

/** The fields of a filter that the preview shows. */
export const shownFilter = ([title = '', document = '']: readonly string[]): string[] => {
  const filter: unknown = JSON.parse(document)
  if (!isLoose(filter)) return [title]
  const keywords = listOf(filter.keywords_attributes).map((one) => (isLoose(one) ? textOf(one.keyword) : ''))
  const cells = [
    listOf(filter.context).map(textOf).join(', '),
    textOf(filter.action),
    textOf(filter.expires_at),
    keywords.filter(Boolean).join(', '),
    listOf(filter.statuses).map(textOf).join(', '),
  ]
  return [title, ...cells.map((cell) => cut(cell, MOST_SHOWN))]
}
