/** Tables that people take along and bring along: their columns, and rows in the one form in which they are compared. */
import type { ImportKind } from '@murmuration/contracts/accounts'
import { normaliseDomain, parseHandle } from '@murmuration/text'

/** Kinds that are tables; filters are not. */
export type TableKind = Exclude<ImportKind, 'filters'>

/** Columns in the order in which rows are kept, by the names that other servers write (moderation.md 5). */
export const COLUMNS: Record<TableKind, readonly [string, ...string[]]> = {
  follows: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
  blocks: ['Account address'],
  mutes: ['Account address', 'Hide notifications'],
  domain_blocks: ['#domain'],
  lists: ['List name', 'Account address'],
  bookmarks: ['#uri'],
}

/** Tables that other servers write with the names of their columns; the others begin with their first row. */
const NAMED: ReadonlySet<TableKind> = new Set(['follows', 'mutes'])
export const headOf = (kind: TableKind): string[][] => (NAMED.has(kind) ? [[...COLUMNS[kind]]] : [])

/** Spreadsheets run what begins so; an apostrophe makes it plain text (D070). */
const FORMULA = /^[=+\-@\t\r]/
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)
const unguarded = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

const nameOf = (cell: string): string => cell.trim().toLowerCase().replace(/^#/, '')
const names = (row: readonly string[]): string[] => row.map(nameOf)
const FIRST = new Set(Object.values(COLUMNS).map(([first]) => nameOf(first)))

/** True when a row names the columns of some table, in any order. */
const isHead = (row: readonly string[]): boolean => names(row).some((name) => FIRST.has(name))

const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

/** How often a character is in a line outside of quotes. */
const countIn = (line: string, separator: string): number => line.replaceAll(/"[^"]*"/g, '').split(separator).length - 1

/**
 * The character between the cells of a table, by its first line: the one that parts a line of column names, else the most
 * frequent one. Addresses of bookmarks may contain each of them, so that without names the comma counts there.
 */
export const separatorOf = (kind: TableKind, line: string): Separator => {
  const cells = (separator: string) => line.split(separator).map((cell) => cell.replaceAll('"', ''))
  const counts = SEPARATORS.map((one) => countIn(line, one))
  const most = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
  const named = SEPARATORS.find((one) => countIn(line, one) > 0 && isHead(cells(one)))
  return named ?? (kind === 'bookmarks' ? ',' : most)
}

/** Where each of our columns stands in the file; null when the file is a table of another kind. */
const placesOf = (kind: TableKind, head: readonly string[]): number[] | null => {
  const given = names(head)
  const places = COLUMNS[kind].map((column) => given.indexOf(nameOf(column)))
  const needed = kind === 'lists' ? places : places.slice(0, 1)
  return needed.includes(-1) || (kind !== 'lists' && given.includes('list name')) ? null : places
}

export interface TableRow {
  cells: string[]
  /** Empty when the row means nothing that could be brought along. */
  key: string
}

/** The name of this server in keys: ASCII, without a port. */
export const keyDomain = (localDomain: string): string => normaliseDomain(localDomain) ?? localDomain

/** `Bob@Remote.Example` → `bob@remote.example`; people here carry the name of this server. */
export const addressKey = (address: string, localDomain: string): string => {
  const handle = parseHandle(address.trim())
  if (!handle) return ''
  return `${handle.username.toLowerCase()}@${handle.domain ?? keyDomain(localDomain)}`
}

const MOST_TITLE = 256

/** Lists by name and member, parted by what stands in neither. */
export const listKey = (title: string, address: string): string => `${title}\n${address}`

const keyOf = (kind: TableKind, cells: readonly string[], localDomain: string): string => {
  const [first = '', second = ''] = cells
  if (kind === 'domain_blocks') return normaliseDomain(first.replace(/^@/, '')) ?? ''
  if (kind === 'bookmarks')
    return first.length <= 2_048 && /^https?:\/\//.test(first) && URL.canParse(first) ? first : ''
  if (kind !== 'lists') return addressKey(first, localDomain)
  const address = addressKey(second, localDomain)
  return first === '' || first.length > MOST_TITLE || address === '' ? '' : listKey(first, address)
}

/** Most characters of a cell that are kept. */
const MOST_CELL = 2_048

/** The rows of a file, each once. Null when it is a table of another kind. */
export const readTable = (kind: TableKind, file: readonly string[][], localDomain: string): TableRow[] | null => {
  const [first] = file
  const head = first !== undefined && isHead(first) ? first : null
  const places = head ? placesOf(kind, head) : COLUMNS[kind].map((_, i) => i)
  if (places === null) return null
  const rows = new Map<string, TableRow>()
  for (const row of head ? file.slice(1) : file) {
    const cells = places.map((place) => unguarded((row[place] ?? '').trim().slice(0, MOST_CELL)).trim())
    if (cells.every((cell) => cell === '')) continue
    const key = keyOf(kind, cells, localDomain)
    rows.set(key === '' ? `\n${rows.size}` : key, { cells, key })
  }
  return [...rows.values()]
}

const FALSE = new Set(['false', 'f', '0', 'off', 'no'])
/** A cell that says yes or no; undefined when it says nothing. */
export const yesOrNo = (cell: string | undefined): boolean | undefined =>
  cell === undefined || cell === '' ? undefined : !FALSE.has(cell.toLowerCase())

/** `en, de` → both; undefined when it says nothing. */
export const languagesIn = (cell: string | undefined): string[] | undefined => {
  const codes = (cell ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)
  return codes.length ? codes : undefined
}
