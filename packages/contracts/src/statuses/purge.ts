/** Deletion of rows of deleted authors. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const eraseAuthor = job('statuses.erase-author', {
  data: z.object({
    author: z.string(),
    /** True deletes only while the account is suspended. */ suspended: z.boolean().optional(),
  }),
  about: 'Deletes what an account that is gone, or suspended for long, wrote and did, some hundreds of rows at a time.',
  timeoutMs: 60_000,
  concurrency: 2,
})

export const unburyAuthor = job('statuses.unbury-author', {
  data: z.object({
    author: z.string(),
    /** Milliseconds since 1970; later deletions are kept. */ before: z.number(),
  }),
  about: 'Forgets what an author took back before its server began again, a thousand addresses at a time.',
})
