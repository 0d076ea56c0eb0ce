/** A year in numbers: which year is meant, whether a report may be asked for, and what kind of writer somebody was. */
import type { AnnualReportData, AnnualReportState } from '@murmuration/contracts/entities'

/** Counts of an account's statuses in a year, boosts included, direct statuses left out. */
export interface YearCounts {
  statuses: number
  reblogs: number
  replies: number
  polls: number
}

/** Below this many statuses in a year somebody rather reads. */
const FEW = 113
/** Asked for and not made within an hour: something went wrong, and it may be asked for again. */
const MAKING_MS = 3_600_000

/** Time before which an unfinished report was requested in vain. */
export const staleBefore = (now: number): Date => new Date(now - MAKING_MS)

/** A year as four digits; null when it is none. */
export const readYear = (text: string): number | null => (/^[12]\d{3}$/.test(text) ? Number(text) : null)

/** The first moment of a year and of the next one, in milliseconds. */
export const spanOf = (year: number): { from: number; to: number } => ({
  from: Date.UTC(year, 0),
  to: Date.UTC(year + 1, 0),
})

/** A coarse and playful word for how somebody used the year. */
export const archetypeOf = ({ statuses, reblogs, replies, polls }: YearCounts): AnnualReportData['archetype'] => {
  const alone = statuses - reblogs - replies
  if (statuses < FEW) return 'lurker'
  if (reblogs > alone * 2) return 'booster'
  if (polls > alone * 0.1) return 'pollster'
  return replies > alone * 2 ? 'replier' : 'oracle'
}

/** `report`: what is stored about the year; `campaign`: the year that may be asked for now. */
export const stateOf = (
  report: { data: unknown; requested_at: Date } | null,
  { year, campaign, wrote, now }: { year: number; campaign: number | null; wrote: boolean; now: number },
): AnnualReportState['state'] => {
  if (report?.data) return 'available'
  if (report && now - report.requested_at.getTime() < MAKING_MS) return 'generating'
  return year === campaign && wrote ? 'eligible' : 'ineligible'
}

/** The thing that the work of making a report is done for. */
export const reportThing = (account: string, year: number): string => `annual-report:${account}:${year}`
