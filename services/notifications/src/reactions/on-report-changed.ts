/** What staff is told of a report says how it stands since somebody changed it, also when the change is heard of first. */
import { reportChanged } from '@murmuration/contracts/admin'
import { ReportCategory } from '@murmuration/contracts/entities'
import { sources } from '../changes/news.js'
import { react } from '../doors.js'
import { keys, lock } from '../store/barrier.js'
import { keepStand, showStand } from '../store/stand.js'
import type { ReportStand } from '../views/detail.js'

export const onReportChanged = react(reportChanged, 'on-report-changed', async (ctx, e) => {
  const stand: ReportStand = {
    action_taken: e.actionTakenAt !== null,
    action_taken_at: e.actionTakenAt,
    category: ReportCategory.catch('other').parse(e.category),
    rule_ids: e.ruleIds.length > 0 ? e.ruleIds : null,
    rev: e.eventId,
  }
  const source = sources.report(e.id)
  await ctx.db.tx(async (tx) => {
    // Whoever is being told of it meanwhile is shown this, or reads it.
    await lock(tx, [keys.undone(source)])
    if (await keepStand(tx, source, stand)) await showStand(tx, source)
  })
})
