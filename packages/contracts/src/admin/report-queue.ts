/** Operations about queues of open reports: assignment, age, and the staff accounts that can take a report. */
import { z } from 'zod'
import { AdminAccount, AdminReport } from '../entities/index.js'
import { get, id, operation, post, textOrNone } from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

/** Queues of open reports: assigned to the viewer, to no account, or to other staff. */
export const REPORT_QUEUES = ['mine', 'unassigned', 'others'] as const
export type ReportQueue = (typeof REPORT_QUEUES)[number]

const reads = staffReads('manage_reports', 'reports')

export const listReportQueue = operation('admin.report-queue.list', {
  http: get(`${STAFF_PREFIX}/reports`),
  viewer: reads,
  class: 'admin',
  input: z.object({
    /** Queue of reports: `mine`, `unassigned` or `others`; all open reports by default. */
    queue: textOrNone(50).optional(),
    category: textOrNone(50).optional(),
    /** `local` or `remote`: origin of the reported account. */
    target_origin: textOrNone(50).optional(),
    /** `remote`: reports that another server sent. `local`: reports by local accounts. */
    reporter_origin: textOrNone(50).optional(),
    ...staffPage(),
  }),
  output: staffPageOf(AdminReport, 'queue', 'category', 'target_origin', 'reporter_origin'),
  errors: ['unprocessable'],
  large: true,
  about: 'Open reports of a queue, newest first. With `min_id=0` the page has the oldest.',
})

const Origins = z.object({ local: z.int(), remote: z.int() })

export const ReportSummary = z.object({
  open: z.int(),
  queues: z.object({ mine: z.int(), unassigned: z.int(), others: z.int() }),
  categories: z.object({ spam: z.int(), legal: z.int(), violation: z.int(), other: z.int() }),
  targets: Origins,
  reporters: Origins,
  oldest_open: z.object({ id: z.string(), created_at: z.string(), age_seconds: z.int() }).nullable(),
  median_age_seconds: z.int().nullable(),
  /** True if there are more open reports than were counted. Only the oldest reports, up to a maximum, are counted. */
  more: z.boolean(),
})
export type ReportSummary = z.infer<typeof ReportSummary>

export const summarizeReports = operation('admin.report-queue.summarize', {
  http: get(`${STAFF_PREFIX}/reports/summary`),
  viewer: reads,
  class: 'admin',
  input: z.object({}),
  output: ReportSummary,
  about: 'Open reports counted by queue, category and origin, with the age of the oldest and the median age.',
})

export const listReportAssignees = operation('admin.report-queue.list-assignees', {
  http: get(`${STAFF_PREFIX}/reports/assignees`),
  viewer: reads,
  class: 'admin',
  input: z.object({ ...staffPage() }),
  output: staffPageOf(AdminAccount),
  large: true,
  about: 'Accounts to which a report can be assigned, newest first.',
})

export const assignReport = operation('admin.report-queue.assign', {
  http: post(`${STAFF_PREFIX}/reports/:id/assign`),
  viewer: staffWrites('manage_reports', 'reports'),
  class: 'admin',
  input: z.object({ id: id(), account_id: id() }),
  output: AdminReport,
  errors: ['not_found', 'unprocessable'],
  large: true,
  about: 'Assigns a report to an account whose role may manage reports.',
})
