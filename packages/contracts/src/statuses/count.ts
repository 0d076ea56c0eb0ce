/** Counters of statuses, checked by staff and operators. */
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { event, operation, post } from '../kit/index.js'
import { Recounted, RecountInput } from '../kit/recount.js'

export const recountStatuses = operation('statuses.count.recount', {
  http: post(`${STAFF_PREFIX}/recounts/statuses`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: RecountInput,
  output: Recounted,
  about: 'Compares a page of counters with the replies, boosts, favourites and quotes they count.',
})

export const statusCountsRepaired = event('statuses.count.repaired', {
  data: StaffAct,
  about: 'Counters that were wrong were corrected.',
})
