/** Lists of domains as other servers and people write them: CSV with named columns, or one domain in each line. */
import { parse } from 'csv-parse/sync'
import { declaredSeparator, separatorIn } from './table-text.js'

export interface DomainList {
  /** Names of the columns; null when the list begins with a domain. */
  columns: string[] | null
  rows: string[][]
}

/** Cells of a row, and characters of a cell, that are read; with more a row is wrong by itself and stops no other. */
const MOST_CELLS = 50
const MOST_CHARACTERS = 10_000

/** A name of a column without the sign with which other servers begin it. */
const nameOf = (cell: string): string => cell.trim().toLowerCase().replace(/^#/, '')

/** True for a row of names: `#domain` anywhere, `domain` first, or `domain` beside `severity`. */
const isHead = (cells: readonly string[]): boolean => {
  const names = cells.map(nameOf)
  if (!names.includes('domain')) return false
  return names[0] === 'domain' || names.includes('severity') || cells.some((cell) => /^\s*#domain\s*$/i.test(cell))
}

/** The row with the cell at `place` first. */
const withFirst = (row: readonly string[], place: number): string[] => [row[place] ?? '', ...row.toSpliced(place, 1)]

/**
 * Reads a list with at most `most` rows: separated by commas, semicolons or tabs, with the columns in any order. The domain is
 * the first column of the result. Throws for a longer list, and for a quote that never ends.
 * @param text with or without a byte order mark
 */
export const readDomainList = (text: string, most: number): DomainList => {
  const [line = ''] = /[^\r\n]*\S[^\r\n]*/.exec(text.replace(/^\ufeff/, '')) ?? []
  const declared = declaredSeparator(line)
  const rows: string[][] = parse(text, {
    bom: true,
    delimiter: declared ?? separatorIn(line, isHead).separator,
    from_line: declared === null ? 1 : 2,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const [first] = rows
  const place = first && isHead(first) ? first.findIndex((cell) => nameOf(cell) === 'domain') : -1
  const left = place < 0 ? rows : rows.slice(1).map((row) => withFirst(row, place))
  if (left.length > most) throw new Error(`The list has ${left.length} rows; ${most} is the most.`)
  const columns = first === undefined || place < 0 ? null : ['#domain', ...withFirst(first, place).slice(1)]
  return { columns, rows: left.map((row) => row.slice(0, MOST_CELLS).map((cell) => cell.slice(0, MOST_CHARACTERS))) }
}

/** The rows in pages of this size. */
export const pagesOf = <T>(items: readonly T[], size = 500): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
