/** Job that applies decisions of staff about statuses: deleted, or marked as sensitive. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const enforceStatusDecision = job('admin.settle-statuses', {
  data: z.object({ strike: z.string() }),
  timeoutMs: 60_000,
  about: 'Applies the latest decision of staff to the statuses of a strike.',
})
