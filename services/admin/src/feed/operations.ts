/** Handlers that start the building and clearing of feeds. */
import { adminTasks, feedsBuild, feedsClear } from '@murmuration/contracts/admin'
import { startTask } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { buildFeedsKind, clearFeedsKind } from './renew.js'

const ACTIVE_MS = 30 * 86_400_000

export const build = handle(feedsBuild, (ctx, by, { account_id, dry_run }) => {
  const account = account_id ?? null
  // Feeds of inactive accounts expire, so without an account only recently active accounts are included.
  const since = account === null ? new Date(ctx.clock.now() - ACTIVE_MS).toISOString() : null
  return startTask(ctx, adminTasks, buildFeedsKind, { by, input: { account, since }, dryRun: dry_run })
})

export const clear = handle(feedsClear, (ctx, by, { account_id, dry_run }) =>
  startTask(ctx, adminTasks, clearFeedsKind, {
    by,
    input: { account: account_id ?? null, since: null },
    dryRun: dry_run,
  }),
)
