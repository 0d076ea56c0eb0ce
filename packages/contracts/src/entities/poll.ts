/** Schemas of polls as readers and voters get them. */
import { z } from 'zod'
import { CustomEmoji } from './custom-emoji.js'
import { Count, Id, Timestamp } from './primitive.js'

/** An option of a poll. `votes_count` is null in an open poll whose author hides the totals. */
export const PollOption = z
  .strictObject({ title: z.string(), votes_count: Count.nullable() })
  .meta({ id: 'PollOption', description: 'One choice of a poll.' })
export type PollOption = z.infer<typeof PollOption>

/** A poll. `voted` and `own_votes` (option indexes, in the order of voting) are present for authenticated viewers only. */
export const Poll = z
  .strictObject({
    id: Id,
    expires_at: Timestamp.nullable(),
    expired: z.boolean(),
    multiple: z.boolean(),
    votes_count: Count,
    voters_count: Count.nullable(),
    options: z.array(PollOption),
    emojis: z.array(CustomEmoji),
    voted: z.boolean().optional(),
    own_votes: z.array(z.int().nonnegative()).optional(),
  })
  .meta({ id: 'Poll', description: 'A poll attached to a status.' })
export type Poll = z.infer<typeof Poll>
