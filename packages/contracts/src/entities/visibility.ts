/** Schema of the visibility of a status, as in the API. */
import { z } from 'zod'

/** The stored visibility "limited" is returned as `private`. */
export const Visibility = z
  .enum(['public', 'unlisted', 'private', 'direct'])
  .meta({ id: 'Visibility', description: 'Visibility of a status.' })
export type Visibility = z.infer<typeof Visibility>
