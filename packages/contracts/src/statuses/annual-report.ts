/** Operations, events and jobs about annual reports: whether one is available, its generation, and reading it. */
import { z } from 'zod'
import { AnnualReportState, AnnualReports } from '../entities/index.js'
import { event, get, job, operation, post, raw, text, user } from '../kit/index.js'

const reads = user('read|read:accounts')
const writes = user('write|write:accounts')
/** Year of the report as text, because an invalid year counts as a year without a report. */
const one = z.object({ year: text(20) })

const DECEMBER = 11
const FIRST_DAY = 10

/**
 * Returns the year for which annual reports can be generated at `now` (milliseconds since 1970): the current year from
 * 10 December to 31 December (UTC), else null.
 */
export const campaignYear = (enabled: boolean, now: number): number | null => {
  const at = new Date(now)
  return enabled && at.getUTCMonth() === DECEMBER && at.getUTCDate() >= FIRST_DAY ? at.getUTCFullYear() : null
}

export const listAnnualReports = operation('statuses.annual-report.list', {
  http: get('/api/v1/annual_reports'),
  viewer: reads,
  large: true,
  input: z.object({}),
  output: AnnualReports,
  about: 'Unread annual reports of the viewer, with the accounts and statuses that they refer to.',
})

export const showAnnualReport = operation('statuses.annual-report.show', {
  http: get('/api/v1/annual_reports/:year'),
  viewer: reads,
  large: true,
  input: one,
  output: AnnualReports,
  errors: ['not_found'],
  about: 'Annual report of the viewer for one year, with the accounts and statuses that it refers to.',
})

export const annualReportState = operation('statuses.annual-report.state', {
  http: get('/api/v1/annual_reports/:year/state'),
  viewer: reads,
  input: one,
  output: AnnualReportState,
  about: 'Whether a report for a year exists or can be generated.',
})

export const generateAnnualReport = operation('statuses.annual-report.generate', {
  http: post('/api/v1/annual_reports/:year/generate'),
  viewer: writes,
  input: one,
  output: raw('application/json; charset=utf-8'),
  about:
    'Requests a report. Responds 202 without a body while it is generated, and `{}` when it exists or is not available.',
})

export const readAnnualReport = operation('statuses.annual-report.read', {
  http: post('/api/v1/annual_reports/:year/read'),
  viewer: writes,
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Marks a report as read.',
})

export const makeAnnualReport = job('statuses.make-annual-report', {
  data: z.object({ account: z.string(), year: z.int() }),
  about: 'Computes the annual report of an account.',
  retry: { delays: [10, 60, 600], times: 8 },
  timeoutMs: 60_000,
  concurrency: 2,
})

export const annualReportMade = event('statuses.annual-report.made', {
  data: z.object({ id: z.string(), account: z.string(), year: z.int() }),
  about: 'The annual report of an account is ready.',
})
