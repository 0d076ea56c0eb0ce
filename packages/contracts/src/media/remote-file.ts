/** Cached copies of remote files. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const clearDomainJob = job('media.clear-domain', {
  data: z.object({
    domain: z.string(),
    /** True excludes subdomains. */
    exact: z.boolean().optional(),
    /** True deletes only while the policy refuses media of the domain. */
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
  // Later tries are made by the tick `media.retry-remote`, and when a client requests the file.
  retry: { delays: [2], times: 2 },
  timeoutMs: 90_000,
  // High, because most of the time is spent waiting. A third of the slots is available to one site.
  concurrency: 12,
})
