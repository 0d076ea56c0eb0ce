/** Works on one activity that came in: who sent it stands, then whatever its type means here. */
import { processActivity } from '@murmuration/contracts/federation'
import { perform } from '../activities/index.js'
import { gaveUp, type Outcome } from '../activities/outcome.js'
import { work } from '../doors.js'
import { processed } from '../figures.js'
import { closeEntries, inboxEntry } from '../store/inbox.js'

export const process = work(processActivity, async (ctx, { id }, meta) => {
  const entry = await inboxEntry(ctx.db, id)
  if (entry === null || entry.outcome !== null || entry.body === null) return
  const outcome: Outcome = await perform(ctx, { ...entry, body: entry.body }).catch((error) => {
    // Repeating helps against what passes; on the last try the activity is let go, so that it does not stay for ever.
    if (meta.tries < processActivity.retry.times) throw error
    return gaveUp(error)
  })
  const { tell, ...how } = outcome
  if (tell === undefined) await ctx.intake.close({ id, ...how })
  else
    await ctx.db.tx(async (tx) => {
      const [isOurs] = await closeEntries(tx, [{ id, ...how }])
      if (isOurs) await tell(tx)
    })
  processed.inc({ type: entry.type, outcome: outcome.outcome, reason: outcome.reason ?? '' })
})
