/** Jobs about cached copies of remote files. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const clearDomainJob = job('media.clear-domain', {
  data: z.object({
    domain: z.string(),
    /** True: files of subdomains are left out. */
    exact: z.boolean().optional(),
    /** True: files are deleted only as long as the domain rules refuse media of the domain. */
    whileRefused: z.boolean().optional(),
    what: z.enum(['attachment', 'picture']),
    /** Id of the file after which the next page begins. */
    after: z.string(),
  }),
  about: 'Deletes copies of files from a domain, in pages.',
})

export const fetchRemoteJob = job('media.fetch-remote', {
  data: z.object({ what: z.enum(['attachment', 'picture']), id: z.string() }),
  about: 'Fetches a remote file into the cache.',
  // The tick `media.retry-remote` makes later tries. A file is also fetched when a client requests it.
  retry: { delays: [2], times: 2 },
  timeoutMs: 90_000,
  // The concurrency is high, because the operation mostly waits for other servers. One server can use at most a third of the slots.
  concurrency: 12,
})
