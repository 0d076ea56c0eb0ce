/** Remote statuses without a reference by local accounts. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/**
 * The operation is named `find` since its input has `clean_followed`. So services of older releases do not respond,
 * instead of ignoring that member.
 */
export const unreferencedStatuses = operation('statuses.unreferenced-status.find', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Status id after which the window begins. */
    after: z.string(),
    /** Upper bound of the window: only statuses with a lower id. */
    before: z.string(),
    limit: z.int().min(1).max(1_000),
    /** True includes statuses whose author, or the author of a reply below them, has local followers. */
    clean_followed: z.boolean(),
  }),
  output: z.object({
    statuses: z.array(z.object({ id: z.string(), author: z.string() })),
    /** Number of checked remote statuses, and the id of the last one; null after the last status. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about: 'Remote statuses of a window of ids that no local account interacted with. Ends early at large threads.',
})

export const unreferencedStatusesRemove = operation('statuses.unreferenced-status.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000), before: z.string() }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of the given remote statuses that are still unreferenced, with their files.',
})
