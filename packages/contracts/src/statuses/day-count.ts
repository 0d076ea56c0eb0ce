/** Counters by day that statuses keeps. */
import { dayCountsOf } from '../day-count.js'

export const readStatusDayCounts = dayCountsOf('statuses')
