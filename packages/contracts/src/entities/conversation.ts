/** Schema of direct conversations. */
import { z } from 'zod'
import { Account } from './account.js'
import { Id } from './primitive.js'
import { Status } from './status.js'

/** A direct conversation. `accounts` are the other participants, or the owner if there are none. */
export const Conversation = z
  .strictObject({
    id: Id,
    unread: z.boolean(),
    accounts: z.array(Account).min(1),
    last_status: Status.nullable(),
  })
  .meta({ id: 'Conversation', description: 'A direct conversation.' })
export type Conversation = z.infer<typeof Conversation>
