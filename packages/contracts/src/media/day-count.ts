/** Operation that reads the daily counters of the media service. */
import { dayCountsOf } from '../day-count.js'

export const readMediaDayCounts = dayCountsOf('media')
