/** What the inboxes did not take lately and why, for operators. */
import { inboxRefusals } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { refusalsSince } from '../../store/refusal.js'

const DAY_MS = 86_400_000

export const refusals = handle(inboxRefusals, async (ctx, _viewer, { days }) => {
  const rows = await refusalsSince(ctx.db, new Date(ctx.clock.now() - (days - 1) * DAY_MS))
  return {
    refusals: rows.map(({ count, last_at, ...row }) => ({
      ...row,
      count: Number(count),
      last_at: last_at.toISOString(),
    })),
  }
})
