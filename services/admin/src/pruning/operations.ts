/** Handler that starts pruning. */
import { accountPrune, adminTasks } from '@murmuration/contracts/admin'
import { startTask } from '@murmuration/kernel'
import { handle } from '../doors.js'
import { pruneKind } from './prune.js'

export const prune = handle(accountPrune, (ctx, by, { dry_run }) =>
  startTask(ctx, adminTasks, pruneKind, { by, input: {}, dryRun: dry_run }),
)
