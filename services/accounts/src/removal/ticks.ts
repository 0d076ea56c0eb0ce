/** Ticks that erase deleted accounts, and delete accounts suspended for thirty days. */

import { limits } from '@murmuration/contracts/limits'
import { dropPictures } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import { lockAccounts } from '../core/lock.store.js'
import { tick } from '../handlers.js'
import { eraseSome, remove } from './remove.js'
import { dueRemovals, dueSuspended, pictureKeys, stillSuspended } from './store.js'

/** Time that deliveries have to find out who follows somebody who left. */
const PATIENCE_MS = 600_000
/** Accounts, and relations of theirs, in one run; what is left waits for the next. */
const MOST_ACCOUNTS = 20
const STEPS = { size: 500, steps: 40 }

export const eraseRemovedAccounts = tick('accounts.erase-removed', 30_000, async (ctx) => {
  const ids = await dueRemovals(ctx.db, new Date(ctx.clock.now() - PATIENCE_MS), MOST_ACCOUNTS)
  if (ids.length === 0) return
  const pictures = await pictureKeys(ctx.db, ids)
  await Promise.all(pictures.map((one) => ctx.call(dropPictures, one)))
  await inSteps(STEPS, (most) => ctx.db.tx((tx) => eraseSome(ctx, tx, ids, most)))
})

/** Each of them is news to every server that knew them: some at a time. */
const PAGES = { size: 20, steps: 5 }

export const removeSuspended = tick('accounts.remove-suspended', 600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - limits.accounts.suspendedKeptSeconds * 1_000)
  await inSteps(PAGES, async (most) => {
    const ids = await dueSuspended(ctx.db, before, most)
    if (ids.length === 0) return 0
    await ctx.db.tx(async (tx) => {
      await lockAccounts(tx, ids)
      await remove(ctx, tx, await stillSuspended(tx, ids, before))
    })
    return ids.length
  })
})
