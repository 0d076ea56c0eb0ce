/** Gives up what was held for seven days or waits for hosts that are unavailable, and finds hosts that nobody looks at although something waits for them. */
import { inSteps } from '@murmuration/kernel'
import { deliveries } from '../delivery/figures.js'
import { HELD_MS } from '../domain/retry.js'
import { tick } from '../doors.js'
import { giveUpOld, giveUpUnavailable } from '../store/delivery.js'
import { findForgottenLanes } from '../store/host.js'

const STEPS = { size: 5_000, steps: 20 }

export const giveUpDeliveries = tick('federation.give-up-deliveries', 60_000, async (ctx) => {
  const held = ctx.clock.now() - HELD_MS
  const given =
    (await inSteps(STEPS, (most) => giveUpOld(ctx.db, held, ctx.clock.date(), most))) +
    (await inSteps(STEPS, (most) => giveUpUnavailable(ctx.db, ctx.clock.date(), most)))
  if (given > 0) deliveries.inc({ outcome: 'gave-up' }, given)
  const found = await findForgottenLanes(ctx.db, ctx.clock.date())
  if (found > 0) ctx.log.warn({ hosts: found }, 'hosts were forgotten with deliveries waiting')
})
