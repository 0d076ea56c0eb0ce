/** Remote statuses that nothing here refers to. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const unreferencedStatuses = operation('statuses.unreferenced-status.list', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Status id after which the window begins. */
    after: z.string(),
    /** Only statuses with a lower id. */
    before: z.string(),
    limit: z.int().min(1).max(1_000),
  }),
  output: z.object({
    statuses: z.array(
      z.object({
        id: z.string(),
        author: z.string(),
        /** Authors of the status and of its replies, boosts and quotes. */
        authors: z.array(z.string()),
      }),
    ),
    /** Remote statuses in the window, and its last id; null after the last status. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about:
    'Remote statuses of a window of ids that no local account mentioned, favourited, bookmarked, boosted, quoted, voted in or replied to.',
})

export const unreferencedStatusesRemove = operation('statuses.unreferenced-status.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000), before: z.string() }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of these remote statuses that still nothing here refers to, with their files.',
})
