/** The tick that announces the end of polls, once each. */
import { pollEnded } from '@murmuration/contracts/statuses'
import { isPollOver, takeEnded } from '../core/poll/store.js'
import { tick } from '../handlers.js'

const BATCH = 200

export const endPolls = tick('statuses.end-polls', 10_000, async (ctx) => {
  if (!(await isPollOver(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const ended = await takeEnded(tx, ctx.clock.date(), BATCH)
    await ctx.announce(
      tx,
      pollEnded,
      ...ended.map((poll) => ({ id: poll.id, status: poll.status_id, author: poll.author_id, local: poll.local })),
    )
  })
})
