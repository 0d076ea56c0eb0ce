/** Counters by day of the service media. */
import { dayCountsOf } from '../day-count.js'

export const readMediaDayCounts = dayCountsOf('media')
