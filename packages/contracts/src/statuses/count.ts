/** Operations and events about counters of statuses and of this server. */

import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { dayCountsOf } from '../day-count.js'
import { event, internal, operation, post } from '../kit/index.js'
import { Recounted, RecountInput } from '../kit/recount.js'

export const recountStatuses = operation('statuses.count.recount', {
  http: post(`${STAFF_PREFIX}/recounts/statuses`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: RecountInput,
  output: Recounted,
  about: 'Compares a page of counters with the replies, boosts, favourites, quotes and emoji reactions.',
})

export const statusCountsRepaired = event('statuses.count.repaired', {
  data: StaffAct,
  about: 'Staff corrected wrong status counters.',
})

export const readStatusDayCounts = dayCountsOf('statuses')

export const statusCounts = operation('statuses.status.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    local: z.int(),
    localReplies: z.int(),
    /** True if the server can translate statuses. */ translates: z.boolean(),
  }),
  about: 'Counts of local statuses for NodeInfo and the instance document.',
})

export const statusesByWeek = operation('statuses.status.by-week', {
  viewer: internal(),
  input: z.object({ mondays: z.array(z.int()).max(60) }),
  output: z.object({ counts: z.array(z.int()) }),
  about: 'Number of local statuses in each of the weeks that begin at the given times.',
})
