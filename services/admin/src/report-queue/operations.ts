/** Handlers of report queues: list, count, and assign. */
import { assignReport, listReportAssignees, listReportQueue, summarizeReports } from '@murmuration/contracts/admin'
import { notFound, pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { reportById } from '../core/report.store.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'
import { changeReport, showAdminReports } from '../report/index.js'
import { assigneePage, checkAssignee } from './assignee.js'
import { queueFilterOf } from './rules.js'
import { countQueues, MAX_COUNTED, queuePage } from './store.js'
import { assigneeOf, summaryOf } from './view.js'

export const list = handle(listReportQueue, async (ctx, viewer, input) => {
  const rows = await queuePage(ctx.db, queueFilterOf(input), viewer?.id ?? null, input)
  const ends = endsOf(
    rows.map((row) => row.id),
    input,
  )
  return pageReply(listReportQueue.output, await showAdminReports(ctx, viewer, rows), ends)
})

export const summarize = handle(summarizeReports, async (ctx, viewer) =>
  summaryOf(await countQueues(ctx.db, viewer?.id ?? null), ctx.clock.now(), MAX_COUNTED),
)

export const listAssignees = handle(listReportAssignees, async (ctx, viewer, page) => {
  const accounts = (await assigneePage(ctx, page)).map((one) => one.account)
  return rowPage(listReportAssignees.output, accounts, (account) => assigneeOf(viewer, account), page)
})

export const assign = handle(assignReport, async (ctx, viewer, { id, account_id }) => {
  // A missing report is reported before an invalid account.
  if ((await reportById(ctx.db, id)) === null) throw notFound()
  await checkAssignee(ctx, account_id)
  return changeReport(ctx, viewer, id, 'assign_report', () => ({ assigned_account_id: account_id }))
})
