/** Queues the job that notifies the next page of accounts. */
import type { AnyJob } from '@murmuration/contracts/kit'
import { processOnce } from '@murmuration/kernel'
import type { z } from 'zod'
import type { Context } from '../context.js'
import type { Origin } from './notify.js'

/**
 * Queues `job` for the next page. The job is queued only once, even if the event or job `origin` is handled again. Called
 * before `notify`, which records `origin` as processed. A recorded message does not run again.
 */
export const queueNextPage = async <J extends AnyJob>(
  ctx: Pick<Context, 'db' | 'queue'>,
  origin: Origin,
  job: J,
  data: z.input<J['data']>,
): Promise<void> => {
  const next = { consumer: `${origin.consumer}:next`, eventId: origin.eventId }
  await ctx.db.tx((tx) => processOnce(tx, next, () => ctx.queue(tx, job, data)))
}
