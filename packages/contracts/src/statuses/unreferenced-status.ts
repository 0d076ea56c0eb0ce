/** Operations about remote statuses without a reference by local accounts. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/**
 * The operation is named `find` since its input contains `clean_followed`. A service of an older release would ignore
 * that member; under the new name it does not respond.
 */
export const unreferencedStatuses = operation('statuses.unreferenced-status.find', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Status id after which the window of statuses begins. */
    after: z.string(),
    /** Upper bound of the window: only statuses with an id below this one. */
    before: z.string(),
    limit: z.int().min(1).max(1_000),
    /** True: includes statuses by authors with local followers, and statuses above replies by such authors. */
    clean_followed: z.boolean(),
  }),
  output: z.object({
    statuses: z.array(z.object({ id: z.string(), author: z.string() })),
    /** Number of remote statuses that were checked. The next member is the id of the last one, null after the last status. */
    seen: z.int(),
    next: z.string().nullable(),
  }),
  about: 'Remote statuses of a window of ids that no local account interacted with. Ends early at large threads.',
})

export const removeUnreferencedStatuses = operation('statuses.unreferenced-status.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ ids: z.array(z.string()).max(1_000), before: z.string() }),
  output: z.object({ removed: z.int() }),
  about: 'Removes those of the given remote statuses that are still unreferenced, with their files.',
})
