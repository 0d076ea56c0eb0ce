/**
 * Wakes the delivery loop for the hosts (lanes) with pending deliveries of one activity, or for given lanes. The job
 * waits for the lanes for a limited time. After that time, the loop continues without the job.
 */
import { deliverJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const deliver = work(deliverJob, (ctx, wanted) => ctx.deliveryLoop.wake(wanted))
