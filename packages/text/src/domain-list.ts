/** Lists of domains as other servers and people write them: CSV with named columns, or one domain in each line. */
import { parse } from 'csv-parse/sync'

export interface DomainList {
  /** Names of the columns; null when the list begins with a domain. */
  columns: string[] | null
  rows: string[][]
}

/** Cells of a row, and characters of a cell, that are read; with more a row is wrong by itself and stops no other. */
const MOST_CELLS = 50
const MOST_CHARACTERS = 10_000

/**
 * Reads a list with at most `most` rows. Throws for a longer one, and for a quote that never ends.
 * @param text with or without a byte order mark
 */
export const readDomainList = (text: string, most: number): DomainList => {
  const rows: string[][] = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
  const [first] = rows
  const columns = first?.[0]?.trim().toLowerCase() === '#domain' ? first : null
  const left = columns ? rows.slice(1) : rows
  if (left.length > most) throw new Error(`The list has ${left.length} rows; ${most} is the most.`)
  return { columns, rows: left.map((row) => row.slice(0, MOST_CELLS).map((cell) => cell.slice(0, MOST_CHARACTERS))) }
}

/** The rows in pages of this size. */
export const pagesOf = <T>(items: readonly T[], size = 500): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
