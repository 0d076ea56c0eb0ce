/** Handlers that request, list and open archives of accounts. */
import { accountAdminRecords, exportOwner } from '@murmuration/contracts/accounts'
import {
  archiveManaged,
  createArchive,
  listArchives,
  openArchive,
  requestArchive,
} from '@murmuration/contracts/federation'
import { fail, notFound } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { nextArchiveAt } from '../core/archive/rules.js'
import { handle } from '../handlers.js'
import { beginArchive } from './begin.js'
import { archiveOf, archivesOf } from './store.js'
import { archiveView } from './view.js'

/** Handler by which staff and operators ask for the archive of a local account. */
export const request = handle(requestArchive, async (ctx, viewer, { id }) => {
  const [record] = (await ctx.call(accountAdminRecords, { ids: [id] })).records
  if (!record) throw notFound()
  const { account, position } = record
  const isBelow = viewer === null || overrides(viewer.position, position)
  if (account.domain !== null || account.suspended || !isBelow) throw fail('forbidden', 'This action is not allowed')
  return ctx.db.tx(async (tx) => {
    const archive = await beginArchive(ctx, tx, account)
    await ctx.announce(tx, archiveManaged, {
      by: viewer?.id ?? null,
      action: 'create_backup_user',
      targetId: id,
      target: account.username,
      before: null,
      after: null,
    })
    return archive
  })
})

/** Requests an archive of the account of the session. A job writes the archive later. */
export const create = handle(createArchive, async (ctx, _viewer, { session }) => {
  const owner = await ctx.call(exportOwner, { session })
  return ctx.db.tx((tx) => beginArchive(ctx, tx, owner))
})

/** Archives of the account of the session, and when the next one may be requested. */
export const handleListArchives = handle(listArchives, async (ctx, _viewer, { session }) => {
  const owner = await ctx.call(exportOwner, { session })
  const rows = await archivesOf(ctx.db, owner.id)
  return {
    archives: rows.map(archiveView),
    next_at: nextArchiveAt(rows, ctx.clock.now())?.toISOString() ?? null,
  }
})

/** Blob key of an archive of the account of the session; other archives are not found (A057). */
export const handleOpenArchive = handle(openArchive, async (ctx, _viewer, { session, id }) => {
  const owner = await ctx.call(exportOwner, { session })
  const row = await archiveOf(ctx.db, owner.id, id)
  if (row?.state !== 'ready' || row.size === null) throw notFound()
  const day = row.created_at.toISOString().slice(0, 10)
  return { key: row.key, name: `archive-${row.username}-${day}.zip`, size: Number(row.size) }
})
