/** Handlers of the account list of staff, and of account deletion by staff. */
import {
  countModeratedFollows,
  deleteModeratedAccount,
  listModeratedAccounts,
  selectModeratedAccounts,
} from '@murmuration/contracts/accounts'
import { accountById } from '../core/account/store.js'
import { lockAccounts } from '../core/lock.store.js'
import { handle } from '../handlers.js'
import { removeRemote } from '../remote-account/index.js'
import { remove, stillSuspended } from '../removal/index.js'
import { adminRecords } from './record.js'
import { countFollows, moderatedIds } from './store.js'

export const listAccounts = handle(listModeratedAccounts, async (ctx, _viewer, { filter, page }) => {
  const ids = await ctx.db.tx((tx) => moderatedIds(tx, filter, page))
  const records = new Map((await adminRecords(ctx, ids)).map((one) => [one.id, one]))
  return { records: ids.flatMap((id) => records.get(id) ?? []) }
})

export const select = handle(selectModeratedAccounts, async (ctx, _viewer, { filter, limit }) => ({
  ids: await ctx.db.tx((tx) => moderatedIds(tx, filter, { limit })),
}))

export const countFollowsOfAccount = handle(countModeratedFollows, (ctx, _viewer, { id }) => countFollows(ctx.db, id))

export const deleteAccount = handle(deleteModeratedAccount, async (ctx, _viewer, { id }) => {
  const row = await accountById(ctx.db, id)
  if (!row?.suspended) return { changed: false }
  if (row.domain !== null) return { changed: await removeRemote(ctx, row) }
  const changed = await ctx.db.tx(async (tx) => {
    await lockAccounts(tx, [id])
    const users = await stillSuspended(tx, [id], new Date(ctx.clock.now() + 1))
    if (users.length > 0) await remove(ctx, tx, users)
    return users.length > 0
  })
  return { changed }
})
