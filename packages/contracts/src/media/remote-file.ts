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
  about: 'Deletes copies of files from a domain, in pages.',
})

export const fetchRemoteJob = job('media.fetch-remote', {
  data: z.object({ what: z.enum(['attachment', 'picture']), id: z.string() }),
  about: 'Fetches a remote file into the cache.',
  // Later tries are made by the tick `media.retry-remote`, and when a client requests the file.
  retry: { delays: [2], times: 2 },
  timeoutMs: 90_000,
  // The concurrency is high, because the operation mostly waits for other servers. A third of the slots is available to
  // one site.
  concurrency: 12,
})
