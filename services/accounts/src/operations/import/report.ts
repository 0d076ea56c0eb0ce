/** What became of rows that statuses worked off; the import goes on with the next ones. */
import { importJob, importReport } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { finishImport, importById, markCleared, settleRows } from '../../store/import.js'
import { lockName } from '../../store/lock.js'

export const reportImport = handle(importReport, async (ctx, _viewer, { id, cleared, rows }) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `import ${id}`)
    if ((await importById(tx, id))?.state !== 'running') return
    if (cleared) {
      if (await markCleared(tx, id)) await ctx.queue(tx, importJob, { id })
      return
    }
    await settleRows(
      tx,
      id,
      rows.map(({ n, imported, problem }) => ({ n, outcome: imported ? 'imported' : 'failed', problem })),
    )
    if ((await finishImport(tx, id)) === 'waiting') await ctx.queue(tx, importJob, { id })
  })
  return {}
})
