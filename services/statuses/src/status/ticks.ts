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
  await inSteps(STEPS, (limit) => deleteKeys(ctx.db, limit))
  await inSteps(STEPS, (limit) => deleteOldTombstones(ctx.db, limit))
  await inSteps(STEPS, (limit) => deleteAbsences(ctx.db, limit))
  await inSteps(STEPS, (limit) => deleteEarly(ctx.db, limit))
})
