/** Erases what hung on people who left, once every server that should hear of it was found. */
import { dropPictures } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import { eraseSome } from '../changes/removal.js'
import { tick } from '../doors.js'
import { dueRemovals, pictureKeys } from '../store/removal.js'

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
