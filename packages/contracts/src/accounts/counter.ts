/** Operation with which staff and operators recount the counters of accounts, and the event about corrections. */
import { STAFF_PREFIX, StaffAct, staffWrites } from '../admin/staff.js'
import { event, operation, post } from '../kit/index.js'
import { Recounted, RecountInput } from '../kit/recount.js'

export const recountAccounts = operation('accounts.count.recount', {
  http: post(`${STAFF_PREFIX}/recounts/accounts`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: RecountInput,
  output: Recounted,
  about: 'Compares a page of account counters with the follows.',
})

export const accountCountsRepaired = event('accounts.count.repaired', {
  data: StaffAct,
  about: 'Staff corrected wrong account counters.',
})
