/** Asks for an archive; a worker makes it. */
import { exportOwner } from '@murmuration/contracts/accounts'
import { archiveCreate } from '@murmuration/contracts/federation'
import { beginArchive } from '../../account-archive/index.js'
import { handle } from '../../doors.js'

export const createArchive = handle(archiveCreate, async (ctx, _viewer, { session }) => {
  const owner = await ctx.call(exportOwner, { session })
  return ctx.db.tx((tx) => beginArchive(ctx, tx, owner))
})
