/** Rules of annual reports: valid years, the state of a report, and the archetype of an account. */
import type { AnnualReportData, AnnualReportState } from '@murmuration/contracts/entities'

/** Counts of an account's statuses in a year. Boosts are included, direct statuses are not. */
export interface YearCounts {
  statuses: number
  reblogs: number
  replies: number
  polls: number
}

/** An account with fewer than `FEW` statuses in a year gets the archetype `lurker`. */
const FEW = 113
/** Milliseconds after which an unfinished report counts as failed and can be requested again. */
const MAKING_MS = 3_600_000

/**
 * Returns the time limit of unfinished reports: an unfinished report that was requested before this time counts as
 * failed.
 */
export const staleBefore = (now: number): Date => new Date(now - MAKING_MS)

/** Parses a year of four digits, 1000 to 2999; null if invalid. */
export const readYear = (text: string): number | null => (/^[12]\d{3}$/.test(text) ? Number(text) : null)

/** Start of a year and of the next year in UTC, in milliseconds since 1970. */
export const spanOf = (year: number): { from: number; to: number } => ({
  from: Date.UTC(year, 0),
  to: Date.UTC(year + 1, 0),
})

/** Archetype of an account: lurker, booster, pollster, replier or oracle, by the shares of its kinds of statuses. */
export const archetypeOf = ({ statuses, reblogs, replies, polls }: YearCounts): AnnualReportData['archetype'] => {
  const alone = statuses - reblogs - replies
  if (statuses < FEW) return 'lurker'
  if (reblogs > alone * 2) return 'booster'
  if (polls > alone * 0.1) return 'pollster'
  return replies > alone * 2 ? 'replier' : 'oracle'
}

/**
 * State of a report. `report`: the stored row; `campaign`: the year that can be requested now, or null; `wrote`:
 * whether the account posted in that year.
 */
export const stateOf = (
  report: { data: unknown; requested_at: Date } | null,
  { year, campaign, wrote, now }: { year: number; campaign: number | null; wrote: boolean; now: number },
): AnnualReportState['state'] => {
  if (report?.data) return 'available'
  if (report && now - report.requested_at.getTime() < MAKING_MS) return 'generating'
  return year === campaign && wrote ? 'eligible' : 'ineligible'
}

/** Name of the async refresh that shows clients the progress of a report. */
export const reportRefreshName = (account: string, year: number): string => `annual-report:${account}:${year}`
