/** Where the file of an archive lies; nobody else's is there (A057). */
import { exportOwner } from '@murmuration/contracts/accounts'
import { archiveOpen } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { archiveOf } from '../../store/archive.js'

export const openArchive = handle(archiveOpen, async (ctx, _viewer, { session, id }) => {
  const owner = await ctx.call(exportOwner, { session })
  const row = await archiveOf(ctx.db, owner.id, id)
  if (row?.state !== 'ready' || row.size === null) throw notFound()
  const day = row.created_at.toISOString().slice(0, 10)
  return { key: row.key, name: `archive-${row.username}-${day}.zip`, size: Number(row.size) }
})
