/** Handlers that start the building and clearing of feeds. */
import { adminTasks, buildFeeds, clearFeeds } from '@murmuration/contracts/admin'
import { fail, notFound, type Viewer } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { startTask } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { moderatedAccount } from '../core/admin-account.js'
import { handle } from '../handlers.js'
import { buildFeedsKind, clearFeedsKind } from './renew.js'

const ACTIVE_MS = 30 * 86_400_000

/**
 * User name of the account. Throws 404 unless the account is local, and 403 if it is another account with the rank of the
 * actor or a higher rank. `account` is null for all accounts, `by` is null for operators.
 */
const ownerOf = async (ctx: Context, by: Viewer | null, account: string | null): Promise<string | null> => {
  if (account === null) return null
  const target = await moderatedAccount(ctx, account)
  if (target.account.domain !== null) throw notFound()
  if (by !== null && account !== by.id && !overrides(by.position, target.position))
    throw fail('forbidden', 'This action is not allowed')
  return target.account.username
}

export const build = handle(buildFeeds, async (ctx, by, { account_id, dry_run }) => {
  const account = account_id ?? null
  const username = await ownerOf(ctx, by, account)
  // Feeds of inactive accounts expire, so without an account only recently active accounts are included.
  const since = account === null ? new Date(ctx.clock.now() - ACTIVE_MS).toISOString() : null
  return startTask(ctx, adminTasks, buildFeedsKind, { by, input: { account, username, since }, dryRun: dry_run })
})

export const clear = handle(clearFeeds, async (ctx, by, { account_id, dry_run }) => {
  const account = account_id ?? null
  const username = await ownerOf(ctx, by, account)
  return startTask(ctx, adminTasks, clearFeedsKind, { by, input: { account, username, since: null }, dryRun: dry_run })
})
