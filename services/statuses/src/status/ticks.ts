/**
 * The tick that deletes idempotency keys after an hour, and tombstones, absence records and early approvals after
 * thirty days.
 */
import { inSteps } from '@murmuration/kernel'
import { forgetEarly } from '../approval/index.js'
import { forgetKeys } from '../core/status/idempotency.store.js'
import { deleteOldTombstones } from '../core/status/tombstone.store.js'
import { tick } from '../handlers.js'
import { forgetAbsences } from '../remote/index.js'

const STEPS = { size: 5_000, steps: 50 }

export const forgetOld = tick('statuses.forget-old', 300_000, async (ctx) => {
  await inSteps(STEPS, (most) => forgetKeys(ctx.db, most))
  await inSteps(STEPS, (most) => deleteOldTombstones(ctx.db, most))
  await inSteps(STEPS, (most) => forgetAbsences(ctx.db, most))
  await inSteps(STEPS, (most) => forgetEarly(ctx.db, most))
})
