/** Looks what trends, every five minutes. */
import { scoreTrends } from '../changes/trend.js'
import { tick } from '../doors.js'

export const scoreAllTrends = tick('statuses.score-trends', 300_000, scoreTrends)
