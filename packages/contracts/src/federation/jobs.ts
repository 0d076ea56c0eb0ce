/** The queues of what came in: only federation fills and works them. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const processActivity = job('federation.process', {
  data: z.object({ id: z.string() }),
  about: 'Works on an activity that was accepted into an inbox.',
  timeoutMs: 60_000,
  concurrency: 16,
})

export const resolveThread = job('federation.resolve-thread', {
  data: z.object({
    uri: z.string(),
    /** Steps that led here. */
    depth: z.int(),
  }),
  about: 'Reads what a status answers and is not here yet.',
  retry: { delays: [30, 120, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})
