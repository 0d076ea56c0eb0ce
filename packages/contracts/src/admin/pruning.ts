/** Pruning: remote accounts that nobody here ever had to do with. */
import { z } from 'zod'
import { flagOr, operation, post } from '../kit/index.js'
import { Task } from '../task.js'
import { STAFF_PREFIX, staffWrites } from './staff.js'

export const accountPrune = operation('admin.pruning.prune-accounts', {
  http: post(`${STAFF_PREFIX}/accounts/prune`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({ dry_run: flagOr(false) }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes remote accounts without statuses, mentions, favourites, votes, relations and reports here, a week after they became known.',
})
