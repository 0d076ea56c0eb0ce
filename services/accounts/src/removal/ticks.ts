/** Ticks that erase deleted accounts, and delete accounts suspended for thirty days. */

import { limits } from '@murmuration/contracts/limits'
import { dropPictures } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import { lockAccounts } from '../core/lock.store.js'
import { tick } from '../handlers.js'
import { eraseRelationships, remove } from './remove.js'
import { dueRemovals, dueSuspended, pictureKeys, stillSuspended } from './store.js'

/** Time between deletion and erasure in milliseconds (10 minutes), in which federation reads the followers of an account. */
const PATIENCE_MS = 600_000
/** Maximum number of accounts, and (`STEPS`) of relationships, that one run erases. The next run continues. */
const MAX_ACCOUNTS = 20
const STEPS = { size: 500, steps: 40 }

export const eraseRemovedAccounts = tick('accounts.erase-removed', 30_000, async (ctx) => {
  const ids = await dueRemovals(ctx.db, new Date(ctx.clock.now() - PATIENCE_MS), MAX_ACCOUNTS)
  if (ids.length === 0) return
  const pictures = await pictureKeys(ctx.db, ids)
  await Promise.all(pictures.map((one) => ctx.call(dropPictures, one)))
  await inSteps(STEPS, (limit) => ctx.db.tx((tx) => eraseRelationships(ctx, tx, ids, limit)))
})

/**
 * `size`: suspended accounts per transaction. `steps`: maximum number of transactions per run, which bounds the
 * deliveries of the deletions.
 */
const PAGES = { size: 20, steps: 5 }

export const removeSuspended = tick('accounts.remove-suspended', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.accounts.suspendedKeptSeconds * 1_000)
  await inSteps(PAGES, async (limit) => {
    const ids = await dueSuspended(ctx.db, before, limit)
    if (ids.length === 0) return 0
    await ctx.db.tx(async (tx) => {
      await lockAccounts(tx, ids)
      await remove(ctx, tx, await stillSuspended(tx, ids, before))
    })
    return ids.length
  })
})
