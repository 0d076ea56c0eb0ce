/** Gives up what was held for seven days, and finds hosts that nobody looks at although something waits for them. */
import { deliveries } from '../delivery/figures.js'
import { HELD_MS } from '../domain/retry.js'
import { tick } from '../doors.js'
import { giveUpOld } from '../store/delivery.js'
import { findForgottenLanes } from '../store/host.js'

const MOST = 5_000

export const giveUpDeliveries = tick('federation.give-up-deliveries', 60_000, async (ctx) => {
  const given = await giveUpOld(ctx.db, ctx.clock.now() - HELD_MS, ctx.clock.date(), MOST)
  if (given > 0) deliveries.inc({ outcome: 'gave-up' }, given)
  const found = await findForgottenLanes(ctx.db, ctx.clock.date())
  if (found > 0) ctx.log.warn({ hosts: found }, 'hosts were forgotten with deliveries waiting')
})
