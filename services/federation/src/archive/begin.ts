/**
 * Requests an archive of a local account: stores the row and queues its job. Throws if the account requested an archive
 * in the last six days.
 */
import { newKey } from '@murmuration/blob'
import { type Archive, makeArchiveJob } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { nextArchiveAt } from '../core/archive/rules.js'
import { archiveOf, archivesOf, insertArchive, lockArchives } from './store.js'
import { archiveView } from './view.js'

export const beginArchive = async (ctx: Context, tx: Tx, owner: { id: string; username: string }): Promise<Archive> => {
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
}
