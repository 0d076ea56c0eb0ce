/** Counters by day that accounts keeps. */
import { dayCountsOf } from '../day-count.js'

export const readAccountDayCounts = dayCountsOf('accounts')
