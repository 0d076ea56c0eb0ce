/** Staff who handle reports are told of the first open one about somebody. */
import { rolesOf } from '@murmuration/contracts/accounts'
import { reportFiled } from '@murmuration/contracts/admin'
import { ReportCategory } from '@murmuration/contracts/entities'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { ReportFacts } from '../views/detail.js'

export const onReportFiled = react(reportFiled, 'on-report-filed', async (ctx, e) => {
  if (!e.first) return
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_reports' })
  const detail: ReportFacts = {
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
