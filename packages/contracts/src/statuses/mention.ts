/** Whom statuses name, for other services. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

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
