/** Schema of hashtags featured on a profile. */
import { z } from 'zod'
import { CountText, Day, Id, Url } from './primitive.js'

/** A featured hashtag. `name` is in the owner's spelling. `url` is `https://host/@acct/tagged/<tag>`. */
export const FeaturedTag = z
  .strictObject({
    id: Id,
    name: z.string().min(1),
    url: Url,
    statuses_count: CountText,
    last_status_at: Day.nullable(),
  })
  .meta({ id: 'FeaturedTag', description: 'A hashtag featured on a profile.' })
export type FeaturedTag = z.infer<typeof FeaturedTag>
