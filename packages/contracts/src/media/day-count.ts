/** Counters by day that media keeps. */
import { dayCountsOf } from '../day-count.js'

export const readMediaDayCounts = dayCountsOf('media')
