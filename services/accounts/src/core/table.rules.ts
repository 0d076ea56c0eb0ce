/**
 * Defines the columns of CSV tables of import and export. Reads rows of imports with a normalised key for comparison.
 */
import type { ImportKind } from '@murmuration/contracts/accounts'
import { normaliseDomain, parseHandle } from '@murmuration/text'
import { beginsWithDomain, beginsWithDottedDomain, type Separator, separatorIn } from '@murmuration/text/table-text'

/** Kinds of imports that are tables. Filters are imported from JSON. */
export type TableKind = Exclude<ImportKind, 'filters'>

/** Columns in the order in which rows are stored, with the names that other servers write. */
export const COLUMNS: Record<TableKind, readonly [string, ...string[]]> = {
  follows: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
  blocks: ['Account address'],
  mutes: ['Account address', 'Hide notifications'],
  domain_blocks: ['#domain'],
  lists: ['List name', 'Account address'],
  bookmarks: ['#uri'],
}

/** Kinds of tables whose exported file has a header row. The files of the other kinds begin with data. */
const NAMED: ReadonlySet<TableKind> = new Set(['follows', 'mutes'])
export const headOf = (kind: TableKind): string[][] => (NAMED.has(kind) ? [[...COLUMNS[kind]]] : [])

/** Beginnings of cells that spreadsheets run as a formula. A leading apostrophe makes the cell plain text (D070). */
const FORMULA = /^[=+\-@\t\r]/
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)
const unguarded = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

const nameOf = (cell: string): string => cell.trim().toLowerCase().replace(/^#/, '')
const names = (row: readonly string[]): string[] => row.map(nameOf)
const FIRST = new Set(Object.values(COLUMNS).map(([first]) => nameOf(first)))

/** The cell with the address, domain or link of a row in a file without header. */
const mainCell = (kind: TableKind, row: readonly string[]): string => (row[kind === 'lists' ? 1 : 0] ?? '').trim()

/** Whether a row contains a handle with a domain, a domain with a dot, or a link. No header contains these. */
const isData = (kind: TableKind, row: readonly string[]): boolean => {
  if (kind === 'domain_blocks') return beginsWithDottedDomain(row)
  const cell = mainCell(kind, row)
  return kind === 'bookmarks' ? /^https?:\/\//i.test(cell) : (parseHandle(cell)?.domain ?? null) !== null
}

/** Whether a row is a header of any kind of table. The columns may be in any order. */
const isHead = (kind: TableKind, row: readonly string[]): boolean =>
  !isData(kind, row) && names(row).some((name) => FIRST.has(name))

/**
 * Whether a row may contain data. A header of an unknown table, or a row split at a wrong separator, can pass this test
 * too.
 */
const isLikelyData = (kind: TableKind, row: readonly string[]): boolean => {
  if (kind === 'domain_blocks') return beginsWithDomain(row)
  // A title with unquoted separators may contain words that could be names of local accounts.
  return parseHandle(mainCell(kind, row)) !== null && (kind !== 'lists' || row.length === 2)
}

/**
 * Returns the cell separator of a table, by its first line.
 * Bookmarks without header use the comma, because their addresses may contain every separator.
 */
export const separatorOf = (kind: TableKind, line: string): Separator => {
  const tests = (kind === 'bookmarks' ? [isHead] : [isData, isHead, isLikelyData]).map(
    (test) => (row: readonly string[]) => test(kind, row),
  )
  return separatorIn(line, tests, kind === 'bookmarks' ? ',' : undefined)
}

/** Position in the file of each column of `COLUMNS`; null if the file is a table of another kind. */
const placesOf = (kind: TableKind, head: readonly string[]): number[] | null => {
  const given = names(head)
  const places = COLUMNS[kind].map((column) => given.indexOf(nameOf(column)))
  const needed = kind === 'lists' ? places : places.slice(0, 1)
  return needed.includes(-1) || (kind !== 'lists' && given.includes('list name')) ? null : places
}

export interface TableRow {
  cells: string[]
  /** Normalised form of the row, for comparison. Empty if the row cannot be imported. */
  key: string
}

/** Columns that only one kind of table has, with this kind. */
const OWN_COLUMNS: ReadonlyMap<string, TableKind> = new Map(
  (Object.keys(COLUMNS) as TableKind[]).flatMap((kind) =>
    COLUMNS[kind].map(nameOf).flatMap((name) => (name === 'account address' ? [] : [[name, kind] as const])),
  ),
)

/** Beginnings of the names of exported files, of this server and of others. */
const FILE_NAMES: readonly (readonly [RegExp, TableKind])[] = [
  [/^follow(?:s|ing)/i, 'follows'],
  [/^(?:blocks|blocked_accounts)/i, 'blocks'],
  [/^mute(?:s|d_accounts)/i, 'mutes'],
  [/^(?:domain_blocks|blocked_domains)/i, 'domain_blocks'],
  [/^lists/i, 'lists'],
  [/^bookmarks/i, 'bookmarks'],
]

/**
 * The kind of table that the header of a file indicates, else its name. Null if neither indicates another kind than
 * the chosen one.
 */
export const otherKind = (kind: TableKind, file: readonly string[][], name: string): TableKind | null => {
  const first = file.find((row) => row.some((cell) => cell.trim() !== '')) ?? []
  const columns = isHead(kind, first) ? names(first).flatMap((column) => OWN_COLUMNS.get(column) ?? []) : []
  const likely = columns.includes(kind) ? kind : (columns[0] ?? FILE_NAMES.find(([start]) => start.test(name))?.[1])
  return likely === undefined || likely === kind ? null : likely
}

/** Domain of this server in the keys of table rows: ASCII, without port. */
export const keyDomain = (localDomain: string): string => normaliseDomain(localDomain) ?? localDomain

/**
 * Normalised handle: `Bob@Remote.Example` → `bob@remote.example`. Handles without a domain, or with another domain of this
 * server, get the domain of its handles. Returns '' for an invalid handle.
 */
export const addressKey = (address: string, localDomain: string, handleDomains: ReadonlySet<string>): string => {
  const handle = parseHandle(address.trim())
  if (!handle) return ''
  const isLocal = handle.domain === null || handleDomains.has(handle.domain)
  return `${handle.username.toLowerCase()}@${isLocal ? keyDomain(localDomain) : handle.domain}`
}

const MAX_TITLE = 256

/** Key of a list member: title and address, separated by a line break, which neither contains. */
export const listKey = (title: string, address: string): string => `${title}\n${address}`

const keyOf = (
  kind: TableKind,
  cells: readonly string[],
  localDomain: string,
  handleDomains: ReadonlySet<string>,
): string => {
  const [first = '', second = ''] = cells
  if (kind === 'domain_blocks') return normaliseDomain(first.replace(/^@/, '')) ?? ''
  if (kind === 'bookmarks')
    return first.length <= 2_048 && /^https?:\/\//.test(first) && URL.canParse(first) ? first : ''
  if (kind !== 'lists') return addressKey(first, localDomain, handleDomains)
  const address = addressKey(second, localDomain, handleDomains)
  return first === '' || first.length > MAX_TITLE || address === '' ? '' : listKey(first, address)
}

/** Maximum length of a stored cell of a CSV table, in characters. A longer cell is truncated. */
const MAX_CELL = 2_048

/** Rows of a file without duplicates and without rows of blank cells; null if the file is a table of another kind. */
export const readTable = (
  kind: TableKind,
  file: readonly string[][],
  localDomain: string,
  handleDomains: ReadonlySet<string>,
): TableRow[] | null => {
  const filled = file.filter((row) => row.some((cell) => cell.trim() !== ''))
  const [first] = filled
  const head = first !== undefined && isHead(kind, first) ? first : null
  const places = head ? placesOf(kind, head) : COLUMNS[kind].map((_, i) => i)
  if (places === null) return null
  const rows = new Map<string, TableRow>()
  for (const row of head ? filled.slice(1) : filled) {
    const cells = places.map((place) => unguarded((row[place] ?? '').trim().slice(0, MAX_CELL).toWellFormed()).trim())
    if (cells.every((cell) => cell === '')) continue
    const key = keyOf(kind, cells, localDomain, handleDomains)
    rows.set(key === '' ? `\n${rows.size}` : key, { cells, key })
  }
  return [...rows.values()]
}

/** Language codes in a cell of a CSV table (`en, de`); undefined if the cell is empty. */
export const languagesIn = (cell: string | undefined): string[] | undefined => {
  const codes = (cell ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)
  return codes.length ? codes : undefined
}
