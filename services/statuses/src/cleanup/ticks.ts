/** Sends the accounts whose old statuses are due to be looked at on their way, a few each minute, unless there is enough to do. */
import { cleanUp } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { isBehind, takeDueCleanups } from './store.js'

/** With twenty statuses each, a thousand deletions a minute at most. */
const ACCOUNTS = 50
/** A job that was lost is sent again after so long. */
const AGAIN_MS = 600_000
const PATIENCE_SECONDS = 30

export const cleanUpDue = tick('statuses.clean-up-due', 60_000, async (ctx) => {
  const now = ctx.clock.now()
  if (await isBehind(ctx.db, PATIENCE_SECONDS)) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDueCleanups(tx, new Date(now), new Date(now + AGAIN_MS), ACCOUNTS)
    await ctx.queue(tx, cleanUp, ...due.map((account) => ({ account })))
  })
})
