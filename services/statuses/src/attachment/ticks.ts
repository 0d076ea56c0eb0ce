/**
 * The tick that checks reserved attachments an hour after the reservation. It releases attachments whose status was
 * never stored, and new attachments of a failed edit.
 */
import { checkedAttachments, reservedAttachments } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { holdersOf } from './store.js'

/** `size`: attachments per step. `steps`: maximum of steps in one run, which is once a minute. */
const STEPS = { size: 400, steps: 25 }

/** Checks the attachments that were reserved first. Returns their number. */
const checkSome = async (ctx: Context, limit: number): Promise<number> => {
  const { items } = await ctx.call(reservedAttachments, { limit })
  if (items.length === 0) return 0
  const holders = new Map((await holdersOf(ctx.db, items)).map((one) => [one.id, one]))
  const checked = items.flatMap(({ owner: _owner, ...item }) => {
    const found = holders.get(item.id)
    return found ? [{ ...item, holder: found.holder, scheduled: found.scheduled }] : []
  })
  await ctx.call(checkedAttachments, { items: checked })
  const released = checked.filter((one) => one.holder === null).map((one) => one.id)
  if (released.length > 0) ctx.log.info({ released }, 'attachments that no status has were released')
  return items.length
}

export const checkReserved = tick('statuses.check-reserved-attachments', 60_000, async (ctx) => {
  await inSteps(STEPS, (limit) => checkSome(ctx, limit))
})
