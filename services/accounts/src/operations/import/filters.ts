/** A page of the filters that somebody brings along, for who keeps them (A058). */
import { importFilters } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { importOf, importRowsAfter } from '../../store/import.js'

const PAGE = 100

export const getImportFilters = handle(importFilters, async (ctx, _viewer, { id, account, after }) => {
  const row = await importOf(ctx.db, account, id)
  const isAtWork = row?.kind === 'filters' && row.state === 'running'
  const rows = isAtWork ? await importRowsAfter(ctx.db, id, 'every', after, PAGE) : []
  return {
    rows: rows.map(({ n, cells }) => ({ n, document: cells[1] ?? '' })),
    next: rows.length === PAGE ? (rows.at(-1)?.n ?? null) : null,
  }
})
