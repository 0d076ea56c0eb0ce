/** Copies of files of other servers. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const clearDomainJob = job('media.clear-domain', {
  data: z.object({
    domain: z.string(),
    /** Nothing below the domain. */
    exact: z.boolean().optional(),
    /** Only for as long as the policy refuses the domain. */
    whileRefused: z.boolean().optional(),
    what: z.enum(['attachment', 'picture']),
    /** Id after which the next page begins. */
    after: z.string(),
  }),
  about: 'Deletes our copies of what a server and those below it sent, a page at a time.',
})

export const fetchRemoteJob = job('media.fetch-remote', {
  data: z.object({ what: z.enum(['attachment', 'picture']), id: z.string() }),
  about: 'Copies a file of another server into our cache.',
  // Later tries are the tick `media.retry-remote`, and whoever looks.
  retry: { delays: [2], times: 2 },
  timeoutMs: 90_000,
  // Most of the time is waiting for others; the files of one site get a third of these hands.
  concurrency: 12,
})
