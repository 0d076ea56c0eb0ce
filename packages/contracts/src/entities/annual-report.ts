/** Schemas of the statistics of an account for one year. */
import { z } from 'zod'
import { Account } from './account.js'
import { Count, Id, Url } from './primitive.js'
import { Status } from './status.js'

/** Statistics of an annual report, in version 2 of their schema. */
export const AnnualReportData = z
  .strictObject({
    archetype: z.enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
    time_series: z.array(z.strictObject({ month: z.int().min(1).max(12), statuses: Count, followers: z.int() })),
    top_hashtags: z.array(z.strictObject({ name: z.string().min(1), count: Count })),
    top_statuses: z.strictObject({
      by_reblogs: Id.nullable(),
      by_favourites: Id.nullable(),
      by_replies: Id.nullable(),
    }),
  })
  .meta({ id: 'AnnualReportData', description: 'The numbers of one year.' })
export type AnnualReportData = z.infer<typeof AnnualReportData>

export const AnnualReport = z
  .strictObject({
    year: z.int().min(1970),
    data: AnnualReportData,
    schema_version: z.literal(2),
    share_url: Url.nullable(),
    account_id: Id,
  })
  .meta({ id: 'AnnualReport', description: 'The report of one account about one year.' })
export type AnnualReport = z.infer<typeof AnnualReport>

/** Annual reports, with the accounts and statuses that they refer to. */
export const AnnualReports = z
  .strictObject({
    annual_reports: z.array(AnnualReport),
    accounts: z.array(Account),
    statuses: z.array(Status),
  })
  .meta({ id: 'AnnualReports', description: 'Annual reports, with the accounts and statuses that they refer to.' })
export type AnnualReports = z.infer<typeof AnnualReports>

export const AnnualReportState = z
  .strictObject({ state: z.enum(['available', 'generating', 'eligible', 'ineligible']) })
  .meta({ id: 'AnnualReportState', description: 'State of the report for a year.' })
export type AnnualReportState = z.infer<typeof AnnualReportState>
