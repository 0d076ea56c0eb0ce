/** Lists of domains in files: read a page at a time, whatever program wrote them, and written as other servers read them. */
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { readNamed } from './named-file.js'

export interface DomainList {
  /** Names of the columns; null when the file begins with a domain. */
  columns: string[] | null
  rows: string[][]
}

/** Rows that one list may have. */
const MOST = 20_000
const PAGE = 500
/** Cells of a row, and characters of a cell, that are looked at; with more a row is wrong by itself and stops no other. */
const MOST_CELLS = 50
const MOST_CHARACTERS = 10_000

export const readList = (path: string): DomainList => {
  const rows: string[][] = parse(readNamed(path).toString(), {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const [first] = rows
  const columns = first?.[0]?.trim().toLowerCase() === '#domain' ? first : null
  const left = columns ? rows.slice(1) : rows
  if (left.length > MOST) throw new Error(`The list has ${left.length} rows; ${MOST} is the most.`)
  return { columns, rows: left.map((row) => row.slice(0, MOST_CELLS).map((cell) => cell.slice(0, MOST_CHARACTERS))) }
}

export const pagesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PAGE) }, (_, n) => items.slice(n * PAGE, (n + 1) * PAGE))

export const tableText = (rows: readonly (readonly string[])[]): string => stringify(rows as string[][]).trimEnd()
