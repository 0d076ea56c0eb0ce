/** Operations about queues of all services, for staff: waiting messages, and republishing of events. */
import { z } from 'zod'
import { OWNERS, QueueState } from '../kernel.js'
import { get, list, nothing, operation, post, text, textOrNone } from '../kit/index.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

/** Names of services that did not respond in time. The response contains the data of the other services. */
export const Unavailable = z.array(z.enum(OWNERS))

export const listQueues = operation('admin.queue.list', {
  http: get(`${STAFF_PREFIX}/queues`),
  viewer: staffReads('view_devops'),
  class: 'admin',
  input: nothing(),
  output: z.object({ services: z.array(QueueState), unavailable: Unavailable }),
  about:
    'Waiting messages of each service: outbox, consumers with their oldest message, and the number of dead letters.',
})

export const replayEvent = operation('admin.event.replay', {
  http: post(`${STAFF_PREFIX}/events/replay`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: z.object({
    /** Name of the service that published the events. */
    service: text(50).default(''),
    /** Ids of the events to publish again. Required unless `from` is given. */
    ids: list(text(20), 1_000).default([]),
    from: textOrNone(50).optional(),
    to: textOrNone(50).optional(),
  }),
  output: z.object({ replayed: z.int() }),
  errors: ['unprocessable', 'unavailable'],
  about: 'Publishes events again. Reactions that handled them do nothing.',
})
