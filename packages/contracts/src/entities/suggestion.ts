/** Schema of suggested accounts. */
import { z } from 'zod'
import { Account } from './account.js'

/** A suggested account. `sources` are all reasons for the suggestion. `source` is the main one, for older clients. */
export const Suggestion = z
  .strictObject({
    source: z.enum(['staff', 'past_interactions', 'global']),
    sources: z.array(
      z.enum(['featured', 'most_followed', 'most_interactions', 'similar_to_recently_followed', 'friends_of_friends']),
    ),
    account: Account,
  })
  .meta({ id: 'Suggestion', description: 'An account that the viewer may want to follow, with the reasons.' })
export type Suggestion = z.infer<typeof Suggestion>
