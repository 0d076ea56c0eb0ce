/** Text of table files that spreadsheets save: character set, and separator of cells. */
import { isUtf8 } from 'node:buffer'

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

/** The separator that a first line such as `sep=;` declares, as Excel writes it; null for other lines. */
export const declaredSeparator = (line: string): Separator | null => {
  const declared = /^"?sep=(.)"?\s*$/i.exec(line)?.[1]
  return SEPARATORS.find((one) => one === declared) ?? null
}

/**
 * The separator of a table by its first line: the separator that splits the line into column names, else into a valid
 * row, else the most frequent separator.
 *
 * @param isHead returns whether cells are column names
 * @param isRow returns whether cells are a row of the table
 */
export const separatorIn = (
  line: string,
  isHead: (cells: readonly string[]) => boolean,
  isRow: (cells: readonly string[]) => boolean = () => false,
): { separator: Separator; named: boolean } => {
  const cells = (separator: string) => line.split(separator).map((cell) => cell.replaceAll('"', ''))
  const counts = SEPARATORS.map((one) => countIn(line, one))
  const found = (fits: (cells: readonly string[]) => boolean) =>
    SEPARATORS.find((one, i) => counts[i] && fits(cells(one)))
  const named = found(isHead)
  const max = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
  return { separator: named ?? found(isRow) ?? max, named: named !== undefined }
}
