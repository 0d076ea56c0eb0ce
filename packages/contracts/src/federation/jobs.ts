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
    /** How often that was, when they were put back since. */
    tried: z.number().int().optional(),
  }),
  about: 'Works on activities that were accepted into inboxes.',
  timeoutMs: 60_000,
  concurrency: 8,
})

export const meetReaderJob = job('federation.meet-reader', {
  data: z.object({
    keyId: z.string().max(2_048),
    /** What the signature insists on; null when the key decides. */
    keyType: z.enum(['rsa', 'ed25519']).nullable(),
    /** The texts that may have been signed. */
    bases: z.array(z.string()).max(2),
    /** In base64. */
    signature: z.string(),
    /** Ids of the statuses that were read. */
    statuses: z.array(z.string()).max(100),
  }),
  about: 'Notes who read statuses of ours as their reader, when a key that is not known here yet signed the request.',
  retry: { delays: [15, 300], times: 3 },
  timeoutMs: 60_000,
  concurrency: 2,
})

export const consultOriginJob = job('federation.consult-origin', {
  data: z.object({ uri: z.string() }),
  about: 'Reads a status from where it lives, because somebody who cannot prove it passed on news of it.',
  retry: { delays: [30, 120, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})
