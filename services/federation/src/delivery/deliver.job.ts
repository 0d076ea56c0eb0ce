/** Works the queues of hosts that something waits for. */
import { deliverJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const deliver = work(deliverJob, (ctx, wanted) => ctx.lanes.wake(wanted))
