/** One import with its first rows. */
import { importShow } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { importRowsAfter } from '../../store/import.js'
import { importView, ownImport } from '../../views/import.js'

const SAMPLE = 10

export const showImport = handle(importShow, async (ctx, _viewer, { session, id }) => {
  const row = await ownImport(ctx, session, id)
  const rows = await importRowsAfter(ctx.db, id, 'every', 0, SAMPLE)
  return { import: importView(row), sample: rows.map((one) => one.cells) }
})
