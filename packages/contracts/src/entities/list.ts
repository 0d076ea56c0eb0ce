/** Schemas of lists of followed accounts, each with its own timeline. */
import { z } from 'zod'
import { Id } from './primitive.js'

export const RepliesPolicy = z
  .enum(['list', 'followed', 'none'])
  .meta({ id: 'RepliesPolicy', description: 'Which replies a list shows.' })
export type RepliesPolicy = z.infer<typeof RepliesPolicy>

/** A list of followed accounts. Members of an exclusive list do not appear in the home timeline. */
export const List = z
  .strictObject({ id: Id, title: z.string().min(1), replies_policy: RepliesPolicy, exclusive: z.boolean() })
  .meta({ id: 'List', description: 'A list of followed accounts.' })
export type List = z.infer<typeof List>
