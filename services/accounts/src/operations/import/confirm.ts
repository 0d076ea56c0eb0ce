/** Begins to work an import off; once. */
import { importConfirm, importJob } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { confirmImport } from '../../store/import.js'
import { importView, ownImport } from '../../views/import.js'

export const beginImport = handle(importConfirm, async (ctx, _viewer, { session, id }) => {
  await ownImport(ctx, session, id)
  await ctx.db.tx(async (tx) => {
    if (await confirmImport(tx, id)) await ctx.queue(tx, importJob, { id })
  })
  return importView(await ownImport(ctx, session, id))
})
