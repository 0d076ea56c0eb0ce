/** Removes work benches of processes that died, on each machine by itself. */
import { tick } from '../doors.js'

export const sweepBenches = tick(
  'media.sweep-benches',
  60_000,
  async (ctx) => {
    await ctx.benches.sweep()
  },
  { alone: false },
)
