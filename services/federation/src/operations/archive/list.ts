/** Archives of who is signed in, and when another one may be asked for. */
import { exportOwner } from '@murmuration/contracts/accounts'
import { archiveList } from '@murmuration/contracts/federation'
import { nextArchiveAt } from '../../domain/archive.js'
import { handle } from '../../doors.js'
import { archivesOf } from '../../store/archive.js'
import { archiveView } from '../../views/archive.js'

export const listArchives = handle(archiveList, async (ctx, _viewer, { session }) => {
  const owner = await ctx.call(exportOwner, { session })
  const rows = await archivesOf(ctx.db, owner.id)
  return {
    archives: rows.map(archiveView),
    next_at: nextArchiveAt(rows, ctx.clock.now())?.toISOString() ?? null,
  }
})
