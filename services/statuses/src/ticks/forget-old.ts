/** Forgets idempotency keys after their hour, and tombstones after a month. */
import { tick } from '../doors.js'
import { forgetKeys } from '../store/idempotency.js'
import { forgetTombstones } from '../store/tombstone.js'

export const forgetOld = tick('statuses.forget-old', 300_000, async (ctx) => {
  await forgetKeys(ctx.db)
  await forgetTombstones(ctx.db)
})
