/** Writes to the figures what waits for other servers. */
import { heldDeliveries, unavailableHosts } from '../delivery/figures.js'
import { tick } from '../doors.js'
import { heldFigures } from '../store/delivery-report.js'

export const measureDeliveries = tick('federation.measure-deliveries', 15_000, async (ctx) => {
  const { held, unavailable } = await heldFigures(ctx.db)
  heldDeliveries.set(held)
  unavailableHosts.set(unavailable)
})
