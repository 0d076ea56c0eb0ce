/** Changes the category of a report and the rules it names. */
import { adminReportUpdate } from '@murmuration/contracts/admin'
import { changeReport } from '../../changes/change-report.js'
import { categoryOf, checkRules } from '../../domain/report.js'
import { handle } from '../../doors.js'
import { countInForce } from '../../store/rule.js'

export const update = handle(adminReportUpdate, (ctx, viewer, input) =>
  changeReport(ctx, viewer, input.id, 'update_report', async (row, tx) => {
    const category = categoryOf(input.category, row.category)
    const ruleIds = input.rule_ids ?? row.rule_ids
    // Rules that were taken away since stay where they were named.
    const fresh = ruleIds.filter((id) => !row.rule_ids.includes(id))
    checkRules(category, ruleIds, ruleIds.length - fresh.length + (fresh.length ? await countInForce(tx, fresh) : 0))
    return { category, rule_ids: ruleIds }
  }),
)
