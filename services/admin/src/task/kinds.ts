/** All kinds of tasks of admin. */
import { adminTasks } from '@murmuration/contracts/admin'
import { taskHandlers } from '@murmuration/kernel'
import { bulkActionKind } from '../bulk-action/index.js'
import type { Context } from '../context.js'
import { buildFeedsKind, clearFeedsKind } from '../feed/index.js'
import { previewCardsKind, pruneKind, statusesKind } from '../pruning/index.js'
import { renewSecretsKind } from '../secret/index.js'

export const tasks = taskHandlers<Context>(adminTasks, [
  buildFeedsKind,
  bulkActionKind,
  clearFeedsKind,
  previewCardsKind,
  pruneKind,
  renewSecretsKind,
  statusesKind,
])
