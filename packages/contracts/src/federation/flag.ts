/** Event about a report from another server. */

import { z } from 'zod'
import { event } from '../kit/index.js'

export const flagReceived = event('federation.flag.received', {
  data: z.object({
    /** Id of the Flag activity; null if it has none. */
    uri: z.string().nullable(),
    domain: z.string(),
    /** Account ids of the sending actor, which is stored like every remote actor, and of the reported account. */
    actor: z.string(),
    target: z.string(),
    statusUris: z.array(z.string()),
    /** Ids of the reported collections of accounts. The reported account owns them. */
    collectionIds: z.array(z.string()).default([]),
    comment: z.string(),
  }),
  about: 'Another server reports a local account.',
})
