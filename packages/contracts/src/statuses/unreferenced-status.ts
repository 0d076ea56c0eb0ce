/** Remote statuses that nothing here refers to. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Called `find` since it looks at followers. Services of an older version do not answer, instead of ignoring them. */
export const unreferencedStatuses = operation('statuses.unreferenced-status.find', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Status id after which the window begins. */
    after: z.string(),
    /** Only statuses with a lower id. */
    before: z.string(),
    limit: z.int().min(1).max(1_000),
    /** Also statuses whose author, or the author of something below them, has followers here. */
    clean_followed: z.boolean(),
  }),
  output: z.object({
    statuses: z.array(z.object({ id: z.string(), author: z.string() })),
    /** Remote statuses that were looked at, and the id of the last one; null after the last status. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about:
    'Remote statuses of a window of ids that no local account mentioned, favourited, bookmarked, boosted, quoted, voted in or replied to. Ends early where threads are large.',
})

export const unreferencedStatusesRemove = operation('statuses.unreferenced-status.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000), before: z.string() }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of these remote statuses that still nothing here refers to, with their files.',
})
