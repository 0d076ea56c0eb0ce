/** Deletes the boosts of a deleted status, some at a time until none is left. */
import { removeReblogs as contract, statusHint } from '@murmuration/contracts/statuses'
import { removeStatus } from '../changes/remove.js'
import { work } from '../doors.js'
import { reblogsOf } from '../store/reblog.js'
import { holdAllForChange, rowsOf } from '../store/status.js'

const BATCH = 200

export const removeReblogs = work(contract, async (ctx, { status }) => {
  const boosts = await reblogsOf(ctx.db, status, BATCH)
  if (boosts.length === 0) return
  const ids = boosts.map((one) => one.reblog_id)
  await ctx.db.tx(async (tx) => {
    const alive = await holdAllForChange(tx, ids)
    await removeStatus(ctx, tx, ...(await rowsOf(tx, alive)).values())
  })
  ctx.hints.send(statusHint, ids)
  // More may have come since; the deletion of the original keeps new ones out, so this ends.
  await ctx.queues.push(contract, { id: `${status}:${ids.at(-1)}`, data: { status } })
})
