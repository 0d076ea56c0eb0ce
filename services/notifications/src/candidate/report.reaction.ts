/** Event handlers for reports, for staff. */
import { rolesOf } from '@murmuration/contracts/accounts'
import { reportChanged, reportFiled } from '@murmuration/contracts/admin'
import { ReportCategory } from '@murmuration/contracts/entities'
import { keys, lockExclusive } from '../core/barrier.store.js'
import type { ReportDetail, ReportState } from '../core/detail.js'
import { mergeSourceState, storeSourceState } from '../core/source-state.store.js'
import { react } from '../handlers.js'
import { sources } from './candidate.js'
import { notify } from './notify.js'

/** Notifies staff who handle reports of the first open report about an account. */
export const onReportFiled = react(reportFiled, 'on-report-filed', async (ctx, e) => {
  if (!e.first) return
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_reports' })
  const detail: ReportDetail = {
    id: e.id,
    target: e.target,
    action_taken: false,
    action_taken_at: null,
    category: ReportCategory.catch('other').parse(e.category),
    comment: e.comment,
    status_ids: e.statusIds,
    rule_ids: e.ruleIds.length > 0 ? e.ruleIds : null,
    collection_ids: e.collectionIds,
    forwarded: e.forward.length > 0,
    created_at: e.createdAt ?? new Date(e.at).toISOString(),
    rev: null,
  }
  await notify(ctx, e, e.reporter, [
    {
      type: 'admin.report',
      recipients: accountIds,
      source: sources.report(e.id),
      status: null,
      detail,
      changes: true,
      at: e.at,
    },
  ])
})

/**
 * Updates the state of a report in its notifications. The state is also stored, because the change may be received
 * before the event that creates the notifications.
 */
export const onReportChanged = react(reportChanged, 'on-report-changed', async (ctx, e) => {
  const state: ReportState = {
    action_taken: e.actionTakenAt !== null,
    action_taken_at: e.actionTakenAt,
    category: ReportCategory.catch('other').parse(e.category),
    rule_ids: e.ruleIds.length > 0 ? e.ruleIds : null,
    rev: e.eventId,
  }
  const source = sources.report(e.id)
  await ctx.db.tx(async (tx) => {
    // The lock orders this change and `notify`. A notification that is stored before is updated here; one that is
    // stored later reads the state.
    await lockExclusive(tx, [keys.undone(source)])
    if (await storeSourceState(tx, source, state)) await mergeSourceState(tx, source)
  })
})
