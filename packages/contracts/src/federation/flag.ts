/** Reports that other servers send. */

import { z } from 'zod'
import { event } from '../kit/index.js'

export const flagReceived = event('federation.flag.received', {
  data: z.object({
    /** Null when it came without one. */
    uri: z.string().nullable(),
    domain: z.string(),
    /** Account ids of the actor who sent it, stored like every remote actor, and of whom it is about. */
    actor: z.string(),
    target: z.string(),
    statusUris: z.array(z.string()),
    /** Collections of accounts that the target keeps. */
    collectionIds: z.array(z.string()).default([]),
    comment: z.string(),
  }),
  about: 'Another server reports somebody here.',
})
