/** Gives up what waits for a server that is gone for good. */
import { deliveryDrop } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { inSteps } from '@murmuration/kernel'
import { handle } from '../../doors.js'
import { abandonLanes, MOST_SETTLED } from '../../store/delivery.js'
import { laneOfHost } from '../../store/host.js'

/** More than ever waits for one host in a week; what is given up when the time of the request is over stays so. */
const STEPS = { size: MOST_SETTLED, steps: 1_000 }

export const drop = handle(deliveryDrop, async (ctx, _viewer, { host }) => {
  const lane = await laneOfHost(ctx.db, host)
  if (lane === null) throw notFound()
  const given_up = await inSteps(STEPS, () => abandonLanes(ctx.db, [lane], ctx.clock.date()))
  return { host, given_up }
})
