/** Schemas of a page of a recount: stored counters compared with the counted rows. */
import { z } from 'zod'
import { flagOr, id } from './input.js'

export const RecountInput = z.object({
  /** Id after which the page of counters begins. */
  after: id().default('0'),
  /** True: wrong counters are corrected. False: wrong counters are only reported. */
  repair: flagOr(false),
})

export const Recounted = z.object({
  differences: z.array(
    z.object({
      id: z.string(),
      counter: z.string(),
      kept: z.int(),
      counted: z.int(),
      /** True if the wrong counter was corrected. */ repaired: z.boolean(),
    }),
  ),
  /** Cursor of the next page; null on the last page. */
  last: z.string().nullable(),
})
export type Recounted = z.infer<typeof Recounted>
