/** Handlers that start the tasks that prune remote accounts, old remote statuses, and pictures of preview cards. */
import { adminTasks, pruneRemoteAccounts, removePreviewCards, removeStatuses } from '@murmuration/contracts/admin'
import { idFloor, startTask } from '@murmuration/kernel'
import { handle } from '../handlers.js'
import { previewCardsKind } from './preview-cards.js'
import { pruneKind } from './prune.js'
import { statusesKind } from './statuses.js'

const DAY_MS = 86_400_000

export const prune = handle(pruneRemoteAccounts, (ctx, by, { dry_run }) =>
  startTask(ctx, adminTasks, pruneKind, { by, input: {}, dryRun: dry_run }),
)

export const remove = handle(removeStatuses, (ctx, by, { days, batch_size, clean_followed, dry_run }) => {
  const before = idFloor(ctx.clock.now() - days * DAY_MS)
  return startTask(ctx, adminTasks, statusesKind, {
    by,
    input: { days, before, batch: batch_size, cleanFollowed: clean_followed },
    dryRun: dry_run,
  })
})

export const removeCards = handle(removePreviewCards, (ctx, by, { days, link, dry_run }) => {
  const before = new Date(ctx.clock.now() - days * DAY_MS).toISOString()
  return startTask(ctx, adminTasks, previewCardsKind, { by, input: { days, before, link }, dryRun: dry_run })
})
