/** Handlers of reports for staff. */
import {
  assignReportToSelf,
  listAdminReports,
  reopenReport,
  resolveReport,
  showAdminReport as showAdminReportOperation,
  unassignReport,
  updateAdminReport,
} from '@murmuration/contracts/admin'
import { notFound, pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { categoryOf, checkRules } from '../core/report.rules.js'
import { reportById, reportPage } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { countInForce } from '../rule/index.js'
import { changeReport } from './change.js'
import { showAdminReport, showAdminReports } from './show.js'

/** Lists reports, newest first. */
export const list = handle(listAdminReports, async (ctx, viewer, input) => {
  const which = input.resolved ? (input.unresolved ? 'all' : 'resolved') : 'open'
  const filter = { which, account: input.account_id, target: input.target_account_id } as const
  const rows = await reportPage(ctx.db, filter, input)
  return pageReply(
    listAdminReports.output,
    await showAdminReports(ctx, viewer, rows),
    endsOf(
      rows.map((row) => row.id),
      input,
    ),
  )
})

/** Returns one report with its accounts, statuses and rules. */
export const show = handle(showAdminReportOperation, async (ctx, viewer, { id }) => {
  const row = await reportById(ctx.db, id)
  if (!row) throw notFound()
  return showAdminReport(ctx, viewer, row)
})

/** Changes the category and the rules of a report. */
export const update = handle(updateAdminReport, (ctx, viewer, input) =>
  changeReport(ctx, viewer, input.id, 'update_report', async (row, tx) => {
    const category = categoryOf(input.category, row.category)
    const ruleIds = input.rule_ids ?? row.rule_ids
    // Only newly added rules must exist: a report may keep server rules that were removed since.
    const fresh = ruleIds.filter((id) => !row.rule_ids.includes(id))
    checkRules(category, ruleIds, ruleIds.length - fresh.length + (fresh.length ? await countInForce(tx, fresh) : 0))
    return { category, rule_ids: ruleIds }
  }),
)

/** Assigns a report to the viewer. */
export const assignToSelf = handle(assignReportToSelf, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'assigned_to_self_report', () => ({ assigned_account_id: viewer.id })),
)

/** Removes the assignment of the report. */
export const unassign = handle(unassignReport, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'unassigned_report', () => ({ assigned_account_id: null })),
)

/** Resolves a report. If it is resolved already, the moderator who resolved it first stays recorded. */
export const resolve = handle(resolveReport, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'resolve_report', (row) => ({
    action_taken_at: row.action_taken_at ?? ctx.clock.date(),
    action_taken_by_account_id: row.action_taken_by_account_id ?? viewer.id,
  })),
)

/** Reopens a report. */
export const reopen = handle(reopenReport, (ctx, viewer, { id }) =>
  changeReport(ctx, viewer, id, 'reopen_report', () => ({ action_taken_at: null, action_taken_by_account_id: null })),
)
