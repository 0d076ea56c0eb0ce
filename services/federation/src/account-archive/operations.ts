/** Handler by which staff and operators ask for the archive of a local account. */
import { accountAdminRecords } from '@murmuration/contracts/accounts'
import { archiveManaged, archiveRequest } from '@murmuration/contracts/federation'
import { fail, notFound } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { handle } from '../doors.js'
import { beginArchive } from './begin.js'

export const request = handle(archiveRequest, async (ctx, viewer, { id }) => {
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
