/** One import with its first rows. */
import { importShow } from '@murmuration/contracts/accounts'
import { shownFilter } from '../../domain/filter-file.js'
import { handle } from '../../doors.js'
import { importRowsAfter, problemRows } from '../../store/import.js'
import { importView, ownImport } from '../../views/import.js'

const SAMPLE = 10
const MOST_PROBLEMS = 50

export const showImport = handle(importShow, async (ctx, _viewer, { session, id }) => {
  const row = await ownImport(ctx, session, id)
  const [rows, problems] = await Promise.all([
    importRowsAfter(ctx.db, id, 'every', 0, SAMPLE),
    problemRows(ctx.db, id, MOST_PROBLEMS),
  ])
  return {
    import: importView(row),
    sample: rows.map(({ cells }) => (row.kind === 'filters' ? shownFilter(cells) : cells)),
    problems: problems.map(({ n, cells, problem }) => ({ n, name: cells[0] ?? '', problem })),
  }
})
