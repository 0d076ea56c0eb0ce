/**
 * Wakes the delivery loop for the host queues with pending deliveries of one activity, or for given host queues. The
 * job waits for them for a limited time. After that time, the loop continues without the job.
 */
import { deliverJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const deliver = work(deliverJob, (ctx, wanted) =>
  ctx.deliveryLoop.wake('lanes' in wanted ? { queues: wanted.lanes } : wanted),
)
