/** All that a person wrote, for taking along. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const ownStatusIds = operation('statuses.status.own-ids', {
  viewer: internal(),
  input: z.object({
    /** Account id of somebody here. */
    author: z.string(),
    after: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional(),
    limit: z.int().max(100),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of everything that a person wrote and boosted, private ones too, oldest first; for that person alone.',
})
