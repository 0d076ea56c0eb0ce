/** Parses domain lists: CSV with named columns, or one domain per line. */
import { parse } from 'csv-parse/sync'
import { beginsWithDomain, beginsWithDottedDomain, declaredSeparator, firstLineOf, separatorIn } from './table-text.js'

export interface DomainList {
  /** Names of the columns; null if the first row contains a domain instead of column names. */
  columns: string[] | null
  rows: string[][]
}

/**
 * Maximum number of cells per row and of characters per cell; the rest is cut off. A row above a limit is invalid, but
 * the other rows are still read.
 */
const MAX_CELLS = 50
const MAX_CHARACTERS = 10_000

/** Name of a column in lower case, without the `#` that other servers put before it. */
const nameOf = (cell: string): string => cell.trim().toLowerCase().replace(/^#/, '')

/** Names of columns beside the domain, as servers export them. */
const KNOWN = /^(?:severity|reason|comment|obfuscate|(?:public|private)[_ ]comment|reject[_ ]\w+)$/

/** Characters around a dot. Matches also domains in cells that a wrong separator joined. */
const DOTTED = /[\p{L}\p{N}]\.[\p{L}\p{N}]/u

/**
 * Whether a row contains column names: `#domain` anywhere, `domain` first or beside a known name, or `domain` in a row without
 * dotted words.
 */
const isHead = (cells: readonly string[]): boolean => {
  const names = cells.map(nameOf)
  if (!names.includes('domain') || beginsWithDottedDomain(cells)) return false
  return (
    names[0] === 'domain' ||
    names.some((name) => KNOWN.test(name)) ||
    cells.some((cell) => /^\s*#domain\s*$/i.test(cell)) ||
    !cells.some((cell) => DOTTED.test(cell))
  )
}

/** Moves the cell at index `place` to the start of a row. */
const withFirst = (row: readonly string[], place: number): string[] => [row[place] ?? '', ...row.toSpliced(place, 1)]

/**
 * Parses a domain list with at most `max` rows: separated by commas, semicolons or tabs, with the columns in any order.
 * The domain is the first column of the result. Rows without content are left out. Throws for a longer list and for an unterminated quote.
 * @param text with or without a byte order mark
 */
export const readDomainList = (text: string, max: number): DomainList => {
  const { line } = firstLineOf(text)
  const declared = declaredSeparator(line)
  const all: string[][] = parse(text, {
    bom: true,
    delimiter: declared ?? separatorIn(line, [beginsWithDottedDomain, isHead, beginsWithDomain]),
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  // A first line that only declares the cell separator (`sep=;`) is not a row of the list.
  const rows = declared === null ? all : all.slice(1)
  const [first] = rows
  const place = first && isHead(first) ? first.findIndex((cell) => nameOf(cell) === 'domain') : -1
  const left = place < 0 ? rows : rows.slice(1).map((row) => withFirst(row, place))
  if (left.length > max) throw new Error(`The list has ${left.length} rows; the maximum is ${max}.`)
  const columns = first === undefined || place < 0 ? null : ['#domain', ...withFirst(first, place).slice(1)]
  return { columns, rows: left.map((row) => row.slice(0, MAX_CELLS).map((cell) => cell.slice(0, MAX_CHARACTERS))) }
}

/** Maximum number of rows that one request of an import contains. */
export const ROWS_OF_REQUEST = 500
