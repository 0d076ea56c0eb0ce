/** Operations and events about reports: created by users, resolved by moderators. */
import { z } from 'zod'
import { AdminReport, Report } from '../entities/index.js'
import {
  event,
  flag,
  flagOr,
  get,
  id,
  ids,
  list,
  operation,
  optionalId,
  pageFields,
  pageOf,
  post,
  put,
  text,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

export const createReport = operation('admin.report.create', {
  http: post('/api/v1/reports'),
  viewer: user('write|write:reports'),
  input: z.object({
    account_id: id().default('0'),
    status_ids: ids(200).default([]),
    collection_ids: ids(200).default([]),
    comment: z.union([z.null(), text()]).optional(),
    category: z.union([z.null(), text(50)]).optional(),
    rule_ids: ids(100).default([]),
    forward: flagOr(false),
    forward_to_domains: list(text(2_000), 100).optional(),
  }),
  output: Report,
  errors: ['not_found', 'unprocessable'],
  family: 'reports',
  creates: true,
  about: 'Reports an account to the moderators and, if requested, to its server.',
})

const may = { permission: 'manage_reports' }
const reads = user('admin:read|admin:read:reports', may)
const writes = user('admin:write|admin:write:reports', may)
const { default: usual, max } = limits.pages.admin

export const listAdminReports = operation('admin.report.list', {
  http: get('/api/v1/admin/reports'),
  viewer: reads,
  class: 'admin',
  input: z.object({
    resolved: flag(),
    unresolved: flag(),
    account_id: optionalId(),
    target_account_id: optionalId(),
    ...pageFields(usual, max),
  }),
  output: pageOf(AdminReport, 'list', ['limit', 'resolved', 'unresolved', 'account_id', 'target_account_id']),
  large: true,
  about: 'Reports, newest first, by default open ones. Each has at most 20 statuses.',
})

/** Declares an operation with which a moderator changes the state of one report. */
const reportAction = <S extends z.ZodRawShape>(verb: string, about: string, more: S) =>
  operation(`admin.report.${verb}`, {
    http: post(`/api/v1/admin/reports/:id/${verb.replaceAll('-', '_')}`),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id(), ...more }),
    output: AdminReport,
    errors: ['not_found'],
    large: true,
    about,
  })

export const showAdminReport = operation('admin.report.show', {
  http: get('/api/v1/admin/reports/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminReport,
  errors: ['not_found'],
  large: true,
  about: 'One report with its accounts, statuses and rules.',
})

export const updateAdminReport = operation('admin.report.update', {
  http: put('/api/v1/admin/reports/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    category: z.union([z.null(), text(50)]).optional(),
    rule_ids: ids(100).optional(),
  }),
  output: AdminReport,
  errors: ['not_found', 'unprocessable'],
  large: true,
  about: 'Changes the category of a report and the violated rules.',
})

export const assignReportToSelf = reportAction('assign-to-self', 'Assigns a report to the viewer.', {})
export const unassignReport = reportAction('unassign', 'Removes the assignment of a report.', {})
export const resolveReport = reportAction('resolve', 'Resolves a report.', {})
export const reopenReport = reportAction('reopen', 'Reopens a report.', {})

export const reportFiled = event('admin.report.filed', {
  data: z.object({
    id: z.string(),
    reporter: z.string(),
    target: z.string(),
    statusIds: z.array(z.string()),
    ruleIds: z.array(z.string()).default([]),
    collectionIds: z.array(z.string()).default([]),
    comment: z.string(),
    category: z.string(),
    /** ISO 8601; time of the report. Events of older releases do not contain it; the time of the event counts then. */
    createdAt: z.string().optional(),
    /** Domains of the servers to which the report is forwarded. */
    forward: z.array(z.string()),
    /** True for the first open report about this target, so that staff is notified once. */
    first: z.boolean(),
  }),
  about: 'A local or remote account reported an account.',
})

export const reportChanged = event('admin.report.changed', {
  data: z.object({
    id: z.string(),
    category: z.string(),
    ruleIds: z.array(z.string()),
    /** ISO 8601; time when the report was resolved, null while it is open. */
    actionTakenAt: z.string().nullable(),
  }),
  about: 'Staff resolved or reopened a report, or changed its category or rules.',
})
