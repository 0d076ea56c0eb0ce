/**
 * The tick that deletes idempotency keys after an hour, and tombstones, absence records and early approvals after
 * thirty days.
 */
import { inSteps } from '@murmuration/kernel'
import { deleteEarly } from '../approval/index.js'
import { deleteKeys } from '../core/status/idempotency.store.js'
import { deleteOldTombstones } from '../core/status/tombstone.store.js'
import { tick } from '../handlers.js'
import { deleteAbsences } from '../remote/index.js'

const STEPS = { size: 5_000, steps: 50 }

export const deleteOld = tick('statuses.forget-old', 300_000, async (ctx) => {
  await inSteps(STEPS, (most) => deleteKeys(ctx.db, most))
  await inSteps(STEPS, (most) => deleteOldTombstones(ctx.db, most))
  await inSteps(STEPS, (most) => deleteAbsences(ctx.db, most))
  await inSteps(STEPS, (most) => deleteEarly(ctx.db, most))
})
