/** A page of a recount: counters beside the rows that they count. */
import { z } from 'zod'
import { flagOr, id } from './input.js'

export const RecountInput = z.object({
  /** Id after which the page begins. */
  after: id().default('0'),
  /** Also puts right what is found. */
  repair: flagOr(false),
})

export const Recounted = z.object({
  differences: z.array(
    z.object({
      id: z.string(),
      counter: z.string(),
      kept: z.int(),
      counted: z.int(),
      /** It was put right. */ repaired: z.boolean(),
    }),
  ),
  /** Where the next page begins; null after the last one. */
  last: z.string().nullable(),
})
export type Recounted = z.infer<typeof Recounted>
