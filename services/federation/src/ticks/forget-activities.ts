/** Deletes activities that were worked on long ago, a few thousand at a time. */
import { tick } from '../doors.js'
import { forgetActivities } from '../store/inbox.js'

const BATCH = 5_000
const MOST_BATCHES = 20

export const forget = tick('federation.forget-activities', 600_000, async (ctx) => {
  for (let batches = 0; batches < MOST_BATCHES; batches++) if ((await forgetActivities(ctx.db, BATCH)) < BATCH) return
})
