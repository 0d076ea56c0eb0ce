/** Statuses that staff deleted or marked as sensitive. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const settleStatuses = job('admin.settle-statuses', {
  data: z.object({ strike: z.string() }),
  timeoutMs: 60_000,
  about: 'Brings the statuses of a strike to what staff decided about it last.',
})
