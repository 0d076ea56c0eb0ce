/**
 * The tick that queues cleanup passes that are due, for 50 accounts a minute. The tick skips runs while the outbox is
 * behind.
 */
import { cleanUp } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { isOutboxBehind, takeDueCleanups } from './store.js'

/** Accounts per run. With 20 deletions each, at most 1,000 statuses are deleted per minute. */
const ACCOUNTS = 50
/** Milliseconds after which the pass of an account is queued again, in case its job was lost. */
const AGAIN_MS = 600_000
const PATIENCE_SECONDS = 30

export const cleanUpDue = tick('statuses.clean-up-due', 60_000, async (ctx) => {
  const now = ctx.clock.now()
  if (await isOutboxBehind(ctx.db, PATIENCE_SECONDS)) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDueCleanups(tx, new Date(now), new Date(now + AGAIN_MS), ACCOUNTS)
    await ctx.queue(tx, cleanUp, ...due.map((account) => ({ account })))
  })
})
