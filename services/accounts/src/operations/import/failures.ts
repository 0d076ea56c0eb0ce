/** Rows of an import that did not work, in the form of the file. */
import { importFailures } from '@murmuration/contracts/accounts'
import { COLUMNS, guarded } from '../../domain/table.js'
import { handle } from '../../doors.js'
import { importRowsAfter } from '../../store/import.js'
import { ownImport } from '../../views/import.js'

const PAGE = 1_000

/** A filter is one cell of JSON. */
export const getImportFailures = handle(importFailures, async (ctx, _viewer, { session, id, after }) => {
  const { kind } = await ownImport(ctx, session, id)
  const rows = await importRowsAfter(ctx.db, id, 'failed', Number(after ?? 0), PAGE)
  const head = after === undefined && kind !== 'filters' ? [[...COLUMNS[kind]]] : []
  const failed = rows.map(({ cells }) => (kind === 'filters' ? cells.slice(1) : cells.map(guarded)))
  return { rows: [...head, ...failed], next: rows.length === PAGE ? String(rows.at(-1)?.n ?? 0) : null }
})
