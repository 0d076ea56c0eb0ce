/** Measures how many deliveries are held for other servers, and how many servers do not answer. */
import type { Context } from '../context.js'
import { heldDeliveries, unavailableHosts } from '../delivery/figures.js'
import { tick } from '../doors.js'
import { heldFigures } from '../store/delivery-report.js'

const measure = async (ctx: Context): Promise<void> => {
  const { held, unavailable } = await heldFigures(ctx.db)
  heldDeliveries.set(held)
  unavailableHosts.set(unavailable)
}

export const measureDeliveries = tick('federation.measure-deliveries', 15_000, measure, {
  elsewhere: () => {
    heldDeliveries.remove()
    unavailableHosts.remove()
  },
})
