/** What staff was told of a report says how it stands since somebody changed it. */
import { reportChanged } from '@murmuration/contracts/admin'
import { ReportCategory } from '@murmuration/contracts/entities'
import { sources } from '../changes/news.js'
import { react } from '../doors.js'
import { changeDetail } from '../store/notification.js'
import type { ReportStand } from '../views/detail.js'

export const onReportChanged = react(reportChanged, 'on-report-changed', async (ctx, e) => {
  const stand: ReportStand = {
    action_taken: e.actionTakenAt !== null,
    action_taken_at: e.actionTakenAt,
    category: ReportCategory.catch('other').parse(e.category),
    rule_ids: e.ruleIds.length > 0 ? e.ruleIds : null,
    rev: e.eventId,
  }
  await changeDetail(ctx.db, sources.report(e.id), stand)
})
