/** Gives up what waits for a server that is gone for good. */
import { deliveryDrop } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { inSteps } from '@murmuration/kernel'
import { handle } from '../../doors.js'
import { abandonLanes, MOST_SETTLED } from '../../store/delivery.js'
import { laneOfHost } from '../../store/host.js'
import { readDomain } from '../../vocabulary/uri.js'

/** What one request does, and how long it works: much less than it may take, so that whoever asks hears how much it was. */
const STEPS = { size: MOST_SETTLED, steps: 10 }
const WORK_MS = 5_000

export const drop = handle(deliveryDrop, async (ctx, _viewer, { host: named }) => {
  const host = readDomain(named) ?? named
  const lane = await laneOfHost(ctx.db, host)
  if (lane === null) throw notFound()
  const endsAt = performance.now() + WORK_MS
  let more = true
  const given_up = await inSteps(STEPS, async (size) => {
    if (performance.now() >= endsAt) return 0
    const done = await abandonLanes(ctx.db, [lane], ctx.clock.date())
    more = done >= size
    return done
  })
  return { host, given_up, more }
})
