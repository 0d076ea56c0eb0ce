/** How people stand to the thread of a status, for those who decide whether to tell them of it. */
import { threadStandings } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { mutersOf, wroteAbove } from '../../store/thread-standing.js'

export const standings = handle(threadStandings, async (ctx, _viewer, { status, sender, viewers }) => {
  const [muted, wrote] = await Promise.all([
    mutersOf(ctx.db, status, viewers),
    wroteAbove(ctx.db, status, sender, viewers),
  ])
  return { muted, wrote }
})
