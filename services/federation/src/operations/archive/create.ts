/** Asks for an archive; a worker makes it. */
import { newKey } from '@murmuration/blob'
import { exportOwner } from '@murmuration/contracts/accounts'
import { archiveCreate, makeArchiveJob } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { nextArchiveAt } from '../../domain/archive.js'
import { handle } from '../../doors.js'
import { archiveOf, archivesOf, insertArchive, lockArchives } from '../../store/archive.js'
import { archiveView } from '../../views/archive.js'

export const createArchive = handle(archiveCreate, async (ctx, _viewer, { session }) => {
  const owner = await ctx.call(exportOwner, { session })
  return ctx.db.tx(async (tx) => {
    await lockArchives(tx, owner.id)
    if (nextArchiveAt(await archivesOf(tx, owner.id), ctx.clock.now()))
      throw fail('unprocessable', 'An archive was asked for less than six days ago.')
    const id = ctx.ids.next()
    const key = newKey('archives', 'zip')
    await insertArchive(tx, { id, account_id: owner.id, username: owner.username, key }, ctx.clock.date())
    await ctx.queue(tx, makeArchiveJob, { id })
    const row = await archiveOf(tx, owner.id, id)
    if (!row) throw new Error('a stored archive is gone')
    return archiveView(row)
  })
})
