/** Mentions: accounts that were mentioned lately, and the search for those that could not be found. */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'

export const mentionedLately = operation('statuses.mention.lately', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    /** Milliseconds since 1970. */
    since: z.int(),
    limit: z.int().max(1_000),
  }),
  output: z.object({ accounts: z.array(z.string()) }),
  about: 'Whom an author named in statuses since then.',
})

export const findMentioned = job('statuses.find-mentioned', {
  data: z.object({
    /** The server that did not answer. */
    host: z.string(),
    /** Mentions that are due together, by the time to which they were postponed. */
    at: z.string(),
  }),
  about: 'Looks once more for people whom remote statuses mention and whose server did not answer.',
  timeoutMs: 120_000,
  concurrency: 4,
})
