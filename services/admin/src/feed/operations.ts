/** Handlers that start the building and clearing of feeds. */
import { adminTasks, feedsBuild, feedsClear } from '@murmuration/contracts/admin'
import { fail, type Viewer } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { startTask } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { handle } from '../handlers.js'
import { buildFeedsKind, clearFeedsKind } from './renew.js'

const ACTIVE_MS = 30 * 86_400_000

/** Throws 403 if the account is another one with the rank of the actor, or a higher one. `by` is null for operators. */
const checkRank = async (ctx: Context, by: Viewer | null, account: string | null): Promise<void> => {
  if (by === null || account === null || account === by.id) return
  const target = (await moderatedAccounts(ctx, [account])).get(account)
  if (target && !overrides(by.position, target.position)) throw fail('forbidden', 'This action is not allowed')
}

export const build = handle(feedsBuild, async (ctx, by, { account_id, dry_run }) => {
  const account = account_id ?? null
  await checkRank(ctx, by, account)
  // Feeds of inactive accounts expire, so without an account only recently active accounts are included.
  const since = account === null ? new Date(ctx.clock.now() - ACTIVE_MS).toISOString() : null
  return startTask(ctx, adminTasks, buildFeedsKind, { by, input: { account, since }, dryRun: dry_run })
})

export const clear = handle(feedsClear, async (ctx, by, { account_id, dry_run }) => {
  const account = account_id ?? null
  await checkRank(ctx, by, account)
  return startTask(ctx, adminTasks, clearFeedsKind, { by, input: { account, since: null }, dryRun: dry_run })
})
