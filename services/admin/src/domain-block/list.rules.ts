/**
 * Lists of blocks in the format that servers exchange: which blocks are exported, in which columns, and how rows are
 * parsed.
 */
import { booleanIn } from '@murmuration/text/table-text'
import type { DomainBlock } from '../core/domain-name.rules.js'

export const COLUMNS = [
  '#domain',
  '#severity',
  '#reject_media',
  '#reject_reports',
  '#public_comment',
  '#obfuscate',
] as const

interface Listed extends DomainBlock {
  public_comment: string | null
  obfuscate: boolean
}

/** True for domain blocks that are exported. Blocks that only mark a domain or reject its reports are not exported. */
export const isListed = (block: Pick<DomainBlock, 'severity' | 'reject_media'>): boolean =>
  block.severity !== 'noop' || block.reject_media

/** The values of a domain block in the order of the exported columns. */
export const rowOf = (block: Listed): string[] => [
  block.domain,
  block.severity,
  String(block.reject_media),
  String(block.reject_reports),
  block.public_comment ?? '',
  String(block.obfuscate),
]

export interface ListedRow {
  domain: string
  severity: string
  reject_media: boolean
  reject_reports: boolean
  public_comment: string | null
  obfuscate: boolean
}

const nameOf = (column: string): string => column.trim().toLowerCase().replace(/^#/, '')

/**
 * Parses rows by the names of their columns. Rows without a domain are ignored.
 *
 * @param columns names of the columns; if null or not beginning with `#domain`, the first column of every row is a domain
 */
export const readRows = (columns: readonly string[] | null, rows: readonly (readonly string[])[]): ListedRow[] => {
  const names = columns?.[0]?.trim().toLowerCase() === '#domain' ? columns.map(nameOf) : ['domain']
  const read = (row: readonly string[]): ListedRow => {
    const value = (name: string) => row[names.indexOf(name)]?.trim() ?? ''
    // An unknown word is true, because the block is then not weaker than its author meant.
    const flag = (name: string) => value(name) !== '' && (booleanIn(value(name)) ?? true)
    return {
      domain: value('domain').toLowerCase(),
      severity: value('severity').toLowerCase() || 'suspend',
      reject_media: flag('reject_media'),
      reject_reports: flag('reject_reports'),
      public_comment: value('public_comment') || null,
      obfuscate: flag('obfuscate'),
    }
  }
  return rows.map(read).filter((row) => row.domain !== '')
}
