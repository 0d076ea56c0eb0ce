/** Operations with which staff moderates statuses: search, marking as sensitive, and deletion. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

const some = { author: z.string(), ids: z.array(z.string()).max(200) }

export const ModeratedStatus = z.object({
  id: z.string(),
  sensitive: z.boolean(),
  /** True if the status has attachments or a preview card, which a sensitive status hides. */
  has_media: z.boolean(),
})
export type ModeratedStatus = z.infer<typeof ModeratedStatus>

export const findModeratedStatuses = operation('statuses.moderated-status.find', {
  viewer: internal(),
  input: z.object(some),
  output: z.object({ statuses: z.array(ModeratedStatus) }),
  about: 'Those of the given statuses that the author wrote and that are not deleted; no boosts.',
})

export const markStatusesSensitive = operation('statuses.moderated-status.mark', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    ...some,
    /** Id of the decision of staff. Its undo restores only statuses that this decision changed. */
    mark: z.string().max(100),
    sensitive: z.boolean(),
  }),
  output: z.object({ changed: z.array(z.string()) }),
  about: 'Marks statuses as sensitive, or undoes that for the statuses that this decision marked. Safe to repeat.',
})

export const deleteModeratedStatuses = operation('statuses.moderated-status.delete', {
  viewer: internal(),
  class: 'write',
  input: z.object(some),
  output: z.object({ deleted: z.array(z.string()) }),
  about: 'Deletes statuses with their files. Remote ones are not stored again. Safe to repeat.',
})
