/** The job that deletes the boosts of a deleted status, 200 at a time until none is left. */
import { removeReblogs as removeReblogsJob, statusInvalidation } from '@murmuration/contracts/statuses'
import { queueNextOnce } from '@murmuration/kernel'
import { reblogsOf } from '../core/reblog/store.js'
import { lockAllForChange, rowsOf } from '../core/status/store.js'
import { removeStatus } from '../deletion/index.js'
import { work } from '../handlers.js'

const BATCH = 200

export const removeReblogs = work(removeReblogsJob, async (ctx, { status }, meta) => {
  const boosts = await reblogsOf(ctx.db, status, BATCH)
  if (boosts.length === 0) return
  const ids = boosts.map((one) => one.reblog_id)
  await ctx.db.tx(async (tx) => {
    const alive = await lockAllForChange(tx, ids)
    await removeStatus(ctx, tx, ...(await rowsOf(tx, alive)).values())
    // More boosts may exist, so the job queues itself again. The sequence of jobs ends, because a deleted status gets no
    // new boosts.
    await queueNextOnce(tx, removeReblogsJob, meta, () => ctx.queue(tx, removeReblogsJob, { status }))
  })
  ctx.invalidations.send(statusInvalidation, ids)
})
