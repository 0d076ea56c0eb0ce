/** Goes on with further pages in a job of their own, queued once for each event or job that asks for it. */
import type { AnyJob } from '@murmuration/contracts/kit'
import { once } from '@murmuration/kernel'
import type { z } from 'zod'
import type { Context } from '../context.js'
import type { Origin } from './notify.js'

export const goOn = async <J extends AnyJob>(
  ctx: Pick<Context, 'db' | 'queue'>,
  origin: Origin,
  job: J,
  data: z.input<J['data']>,
): Promise<void> => {
  const next = { consumer: `${origin.consumer}:next`, eventId: origin.eventId }
  await ctx.db.tx((tx) => once(tx, next, () => ctx.queue(tx, job, data)))
}
