/** Operations and jobs about mentions: recently mentioned accounts, and the repeated search for unresolved ones. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

export const recentlyMentioned = operation('statuses.mention.lately', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    /** Time in milliseconds since 1970. Only later mentions count. */
    since: z.int(),
    limit: z.int().max(1_000),
  }),
  output: z.object({ accounts: z.array(z.string()) }),
  about: 'Accounts that an author mentioned in statuses since a time.',
})

export const findMentioned = job('statuses.find-mentioned', {
  data: z.object({
    /** Host of the accounts that could not be resolved, because it did not respond. */
    host: z.string(),
    /**
     * Due time that the tick `statuses.seek-unreached` set on lookups of accounts on this host. The job processes the
     * lookups with exactly this due time.
     */
    at: z.string(),
  }),
  about: 'Resolves mentions of remote statuses again whose servers did not respond.',
  timeoutMs: 120_000,
  concurrency: 4,
})
