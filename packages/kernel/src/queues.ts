/**
 * Queues jobs that may be lost with the streams of the bus, because they are queued again anyway. Other jobs are queued
 * by the outbox (`outbox.ts`).
 */
import type { Publisher } from '@murmuration/bus'
import type { AnyJob } from '@murmuration/contracts/kit'
import type { z } from 'zod'
import { currentRequest } from './request.js'

export interface Queues {
  /**
   * Queues jobs, and resolves when the bus has stored them. A job with an `id` that was queued within the last ten
   * minutes is dropped.
   */
  push<J extends AnyJob>(job: J, ...items: { id: string; data: z.input<J['data']> }[]): Promise<void>
}

/** Creates the sender of jobs. `push` rejects if the data is invalid, or if the bus did not store all jobs. */
export const createQueues = (publisher: Publisher): Queues => ({
  async push(job, ...items) {
    const trace = currentRequest()?.traceparent ?? ''
    const messages = items.map((item) => ({
      subject: job.subject,
      id: `${job.name}-${item.id}`,
      data: JSON.stringify(job.data.parse(item.data)),
      headers: { traceparent: trace },
    }))
    const stored = await publisher.publish(messages)
    if (stored.size < new Set(messages.map((one) => one.id)).size)
      throw new Error(`${messages.length - stored.size} of ${messages.length} jobs were not stored`)
  },
})
