/** Visibility of a status, as the API names it. */
import { z } from 'zod'

/** The internal kind "limited" is shown as `private`. */
export const Visibility = z
  .enum(['public', 'unlisted', 'private', 'direct'])
  .meta({ id: 'Visibility', description: 'Who can see a status.' })
export type Visibility = z.infer<typeof Visibility>
