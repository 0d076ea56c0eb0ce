/** Text of table files that spreadsheets save: character set, separator of cells, and values of cells. */
import { isUtf8 } from 'node:buffer'
import { normaliseDomain } from './domain.js'

const isUtf16 = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xfe

/**
 * Decodes a file: UTF-16 with a byte order mark, UTF-8, or else Windows-1252, in which every sequence of bytes is
 * valid.
 *
 * @example decodeTable(Buffer.from('B\xfccher', 'latin1')) // 'Bücher'
 */
export const decodeTable = (bytes: Uint8Array): string => {
  const encoding = isUtf16(bytes) ? 'utf-16le' : isUtf8(bytes) ? 'utf-8' : 'windows-1252'
  return new TextDecoder(encoding).decode(bytes)
}

export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

/** Number of occurrences of a character in a line, outside of quotes. */
const countIn = (line: string, separator: string): number => line.replaceAll(/"[^"]*"/g, '').split(separator).length - 1

/**
 * The first line of a text that has a cell with content, without byte order mark; empty if there is none. Lines that
 * contain only separators, quotes and spaces are rows without content. `isWhole`: whether the line has a line end.
 */
export const firstLineOf = (text: string): { line: string; isWhole: boolean } => {
  for (const [all, line = ''] of text.replace(/^\ufeff/, '').matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g))
    if (/[^\s,;"]/.test(line)) return { line, isWhole: all.length > line.length }
  return { line: '', isWhole: false }
}

/** The separator that a first line such as `sep=;` declares, as Excel writes it; null for other lines. */
export const declaredSeparator = (line: string): Separator | null => {
  const declared = /^"?sep=(.)"?\s*$/i.exec(line)?.[1]
  return SEPARATORS.find((one) => one === declared) ?? null
}

type RowTest = (cells: readonly string[]) => boolean

/**
 * The separator of a table, by its first line. Tries the tests in their order, and returns the first separator that
 * splits the line into cells that pass the test. If none passes, returns `other`, or without it the most frequent
 * separator.
 */
export const separatorIn = (line: string, tests: readonly RowTest[], other?: Separator): Separator => {
  const cells = (separator: string) => line.split(separator).map((cell) => cell.replaceAll('"', ''))
  const counts = SEPARATORS.map((one) => countIn(line, one))
  const present = SEPARATORS.filter((_, i) => counts[i])
  const found = tests.flatMap((passes) => present.find((one) => passes(cells(one))) ?? [])[0]
  return found ?? other ?? SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Whether a row begins with a domain. */
export const beginsWithDomain: RowTest = ([first = '']) => normaliseDomain(first.trim().replace(/^@/, '')) !== null

/** Whether a row begins with a domain that has a dot, which no column name is. */
export const beginsWithDottedDomain: RowTest = (row) => beginsWithDomain(row) && row[0]?.includes('.') === true

/** Words for true and false, also those that spreadsheets write in other languages. */
const TRUE = new Set('true t yes y 1 on wahr ja vrai oui verdadero verdadeiro vero waar prawda истина'.split(' '))
const FALSE = new Set('false f no n 0 off falsch nein faux non falso onwaar fałsz ложь'.split(' '))

/** Value of a cell with a boolean; undefined if the cell is absent or empty, or contains an unknown word. */
export const booleanIn = (cell: string | undefined): boolean | undefined => {
  const word = (cell ?? '').trim().toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined
}
