/** Jobs that delete the rows of authors that no longer exist. */
import { z } from 'zod'
import { job, olderNames } from '../kit/index.js'

export const eraseAuthor = job('statuses.erase-author', {
  data: z.object({
    author: z.string(),
    /** True: rows are deleted only as long as the account is suspended. */ suspended: z.boolean().optional(),
  }),
  about:
    'Deletes the statuses and interactions of a deleted account, or of one that was suspended for long, some hundred rows at a time.',
  timeoutMs: 60_000,
  concurrency: 2,
})

export const removeAuthorTombstones = job(olderNames.removeAuthorTombstones, {
  data: z.object({
    author: z.string(),
    /** Milliseconds since 1970. Tombstones of later deletions are kept. */ before: z.number(),
  }),
  about: 'Deletes the tombstones of an account from before its server was set up anew, 1,000 addresses at a time.',
})
