/** The queues of what came in: only federation fills and works them. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const processActivity = job('federation.process', {
  data: z.object({
    /** Activities that came in together. */
    ids: z.array(z.string()).max(100).default([]),
    /** A single one, as releases before named it. */
    id: z.string().optional(),
    /** Work on them was begun before: what changes nothing now may have changed something then. */
    again: z.boolean().optional(),
  }),
  about: 'Works on activities that were accepted into inboxes.',
  timeoutMs: 60_000,
  concurrency: 8,
})

export const consultOriginJob = job('federation.consult-origin', {
  data: z.object({ uri: z.string() }),
  about: 'Reads a status from where it lives, because somebody who cannot prove it passed on news of it.',
  retry: { delays: [30, 120, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})
