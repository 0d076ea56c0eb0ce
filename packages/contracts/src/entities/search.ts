/** Schema of the results of a search. */
import { z } from 'zod'
import { Account } from './account.js'
import { Collection } from './collection.js'
import { Status } from './status.js'
import { Tag } from './tag.js'

export const Search = z
  .strictObject({
    accounts: z.array(Account),
    statuses: z.array(Status),
    hashtags: z.array(Tag),
    collections: z.array(Collection),
  })
  .meta({ id: 'Search', description: 'Accounts, statuses, hashtags and collections that match.' })
export type Search = z.infer<typeof Search>
