/** Erases what hung on people who left, once every server that should hear of it was found. */
import { dropPictures } from '@murmuration/contracts/media'
import { eraseSome } from '../changes/removal.js'
import { tick } from '../doors.js'
import { lockAccount } from '../store/lock.js'
import { dueRemovals, pictureKeys } from '../store/removal.js'

/** Time that deliveries have to find out who follows somebody who left. */
const PATIENCE_MS = 600_000
/** Accounts, and pages of relations, in one run; what is left waits for the next. */
const MOST_ACCOUNTS = 20
const MOST_PAGES = 40

export const eraseRemovedAccounts = tick('accounts.erase-removed', 30_000, async (ctx) => {
  const ids = await dueRemovals(ctx.db, new Date(ctx.clock.now() - PATIENCE_MS), MOST_ACCOUNTS)
  let pages = MOST_PAGES
  // One after another on purpose: each page is a transaction of its own, and nobody waits for this.
  for (const id of ids) {
    const keys = await pictureKeys(ctx.db, id)
    if (keys.length) await ctx.call(dropPictures, { owner: id, keys })
    for (let done = false; !done && pages > 0; pages--)
      done = await ctx.db.tx(async (tx) => {
        await lockAccount(tx, id)
        return eraseSome(ctx, tx, id)
      })
  }
})
