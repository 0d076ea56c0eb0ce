/** Works on activities that came in: who sent each stands, then whatever its type means here. */
import { processActivity } from '@murmuration/contracts/federation'
import { perform } from '../activities/index.js'
import { gaveUp, type Outcome } from '../activities/outcome.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { processed } from '../figures.js'
import { closeEntries, inboxEntries, type OpenEntry } from '../store/inbox.js'

const close = async (ctx: Context, entry: OpenEntry, outcome: Outcome): Promise<void> => {
  const { id, kept } = entry
  const { tell, ...how } = outcome
  if (tell === undefined) await ctx.intake.close({ id, kept, ...how })
  else
    await ctx.db.tx(async (tx) => {
      const [isOurs] = await closeEntries(tx, [{ id, kept, ...how }])
      if (isOurs) await tell(tx)
    })
  processed.inc({ type: entry.type, outcome: outcome.outcome, reason: outcome.reason ?? '' })
}

export const process = work(processActivity, async (ctx, { ids, id, again }, { tries }) => {
  await ctx.intake.calm()
  const entries = await inboxEntries(ctx.db, id === undefined ? ids : [id])
  const isLast = tries >= processActivity.retry.times
  const one = async (entry: OpenEntry): Promise<void> => {
    const outcome = await perform(ctx, entry, again === true || tries > 1).catch((error) => {
      // Repeating helps against what passes; on the last try the activity is let go, so that it does not stay for ever.
      if (!isLast) throw error
      return gaveUp(error)
    })
    await close(ctx, entry, outcome)
  }
  const [single] = entries
  if (single !== undefined && entries.length === 1) return one(single)
  const results = await Promise.allSettled(entries.map(one))
  const failed = entries.filter((_, i) => results[i]?.status === 'rejected')
  // Each of them has its own tries from here on, and is buried alone if it must be.
  if (failed.length)
    await ctx.db.tx((tx) =>
      ctx.queue(tx, processActivity, ...failed.map((entry) => ({ ids: [entry.id], again: true }))),
    )
})
