/** Handlers that start tasks on follows of many local accounts. */

import { accountTasks, followAccounts, unfollowAccounts } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { startTaskIn } from '@murmuration/kernel'
import { existingAccount } from '../core/account/visible-account.js'
import { checkRank } from '../core/role/rank.js'
import { handle } from '../handlers.js'
import { endFollowsKind, followKind } from './many.js'

export const follow = handle(followAccounts, async (ctx, by, { id, dry_run }) => {
  const row = await existingAccount(ctx, id)
  return ctx.db.tx(async (tx) => {
    if (by?.id !== id) await checkRank(tx, by, id)
    if (row.domain !== null || row.suspended || !row.usable)
      throw invalidField('Account must be an active local account')
    const input = { target: id, handle: row.username }
    return startTaskIn(ctx, tx, accountTasks, followKind, { by, input, dryRun: dry_run })
  })
})

export const unfollow = handle(unfollowAccounts, async (ctx, by, { id, which, dry_run }) => {
  const row = await existingAccount(ctx, id)
  const handle = row.domain === null ? row.username : `${row.username}@${row.domain}`
  return ctx.db.tx(async (tx) => {
    if (by?.id !== id) await checkRank(tx, by, id)
    return startTaskIn(ctx, tx, accountTasks, endFollowsKind, {
      by,
      input: { target: id, handle, which },
      dryRun: dry_run,
    })
  })
})
