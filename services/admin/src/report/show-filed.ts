/** A report as the reporter sees it. */
import { splice } from '@murmuration/cards'
import type { Report } from '@murmuration/contracts/entities'
import { type Json, notFound, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { ReportRow } from '../core/report.store.js'

export const showReport = async (ctx: Pick<Context, 'accountCards'>, row: ReportRow): Promise<Json<Report>> => {
  const target = (await ctx.accountCards.many([row.target_account_id])).get(row.target_account_id)
  if (target === undefined) throw notFound()
  const own = {
    id: row.id,
    action_taken: row.action_taken_at !== null,
    action_taken_at: row.action_taken_at?.toISOString() ?? null,
    category: row.category,
    comment: row.comment,
    forwarded: row.forwarded,
    created_at: row.created_at.toISOString(),
    status_ids: row.status_ids,
    rule_ids: row.rule_ids.length ? row.rule_ids : null,
    collection_ids: row.collection_ids,
  }
  return splice<Report>(toJson(own), { target_account: target })
}
