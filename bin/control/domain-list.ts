/** Files with lists of domains: lists for commands, and exports in the form of other servers. */
import { type DomainList, readDomainList } from '@murmuration/text/domain-list'
import { decodeTable } from '@murmuration/text/table-text'
import { stringify } from 'csv-stringify/sync'
import { readNamed } from './named-file.js'

export { ROWS_OF_REQUEST } from '@murmuration/text/domain-list'

/** Maximum number of rows of a list of domains. */
const MAX_ROWS = 20_000

export const readList = (path: string): DomainList => readDomainList(decodeTable(readNamed(path)), MAX_ROWS)

export const tableText = (rows: readonly (readonly string[])[]): string => stringify(rows as string[][]).trimEnd()
