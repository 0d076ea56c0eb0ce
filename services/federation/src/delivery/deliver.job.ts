/** Starts the delivery loop for lanes with pending deliveries. */
import { deliverJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const deliver = work(deliverJob, (ctx, wanted) => ctx.deliveryLoop.wake(wanted))
