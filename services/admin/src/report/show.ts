/**
 * Renders reports for moderators: loads all accounts, all statuses and all rules of the reports in one request each,
 * then joins them.
 */

import { splice } from '@murmuration/cards'
import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { AdminReport, Status } from '@murmuration/contracts/entities'
import { type Json, jsonArray, notFound, toJson, type Viewer } from '@murmuration/contracts/kit'
import { renderByIds } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import type { ReportRow } from '../core/report.store.js'
import { type RuleRow, ruleOf, rulesByIds } from '../rule/index.js'

const STATUS_BATCH = 200
/** Maximum number of statuses of each report in a list. A single report contains all its statuses. */
const STATUSES_IN_LIST = 20

interface Loaded {
  accounts: ReadonlyMap<string, AdminRecord>
  statuses: ReadonlyMap<string, Json<Status>>
  rules: readonly RuleRow[]
}

const statusTexts = async (
  ctx: Context,
  viewer: Pick<Viewer, 'id'> | null,
  ids: string[],
): Promise<Map<string, Json<Status>>> => {
  const parts = await Promise.all(
    chunk([...new Set(ids)], STATUS_BATCH).map((some) =>
      ctx.call(renderByIds, { viewer: viewer?.id ?? null, ids: some, place: 'report' }),
    ),
  )
  return new Map(parts.flatMap((part) => [...part]))
}

const load = async (
  ctx: Context,
  viewer: Pick<Viewer, 'id'> | null,
  rows: readonly ReportRow[],
  max: number,
): Promise<Loaded> => {
  const accountIds = rows.flatMap((row) => [
    row.account_id,
    row.target_account_id,
    row.assigned_account_id,
    row.action_taken_by_account_id,
  ])
  const [accounts, statuses, rules] = await Promise.all([
    moderatedAccounts(
      ctx,
      accountIds.filter((id): id is string => id !== null),
    ),
    statusTexts(
      ctx,
      viewer,
      rows.flatMap((row) => row.status_ids.slice(0, max)),
    ),
    rulesByIds(
      ctx.db,
      rows.flatMap((row) => row.rule_ids),
    ),
  ])
  return { accounts, statuses, rules }
}

/** JSON of one report; null if the reporter or the reported account no longer exists. */
const join = (row: ReportRow, loaded: Loaded, max: number): Json<AdminReport> | null => {
  const account = loaded.accounts.get(row.account_id)
  const target = loaded.accounts.get(row.target_account_id)
  if (!account || !target) return null
  const orNull = (id: string | null) => toJson(loaded.accounts.get(id ?? '')?.account ?? null)
  const statuses = row.status_ids.slice(0, max).flatMap((id) => loaded.statuses.get(id) ?? [])
  const own = {
    id: row.id,
    action_taken: row.action_taken_at !== null,
    action_taken_at: row.action_taken_at?.toISOString() ?? null,
    category: row.category,
    comment: row.comment,
    forwarded: row.forwarded,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
  return splice<AdminReport>(toJson(own), {
    account: toJson(account.account),
    target_account: toJson(target.account),
    assigned_account: orNull(row.assigned_account_id),
    action_taken_by_account: orNull(row.action_taken_by_account_id),
    statuses: jsonArray(statuses),
    rules: toJson(loaded.rules.filter((rule) => row.rule_ids.includes(rule.id)).map(ruleOf)),
  })
}

/** Renders the reports of a page for moderators, in the given order. */
export const showAdminReports = async (
  ctx: Context,
  viewer: Viewer,
  rows: readonly ReportRow[],
): Promise<Json<AdminReport>[]> => {
  const loaded = await load(ctx, viewer, rows, STATUSES_IN_LIST)
  return rows.flatMap((row) => join(row, loaded, STATUSES_IN_LIST) ?? [])
}

/** Renders one report for moderators, with all its statuses. */
export const showAdminReport = async (
  ctx: Context,
  viewer: Pick<Viewer, 'id'> | null,
  row: ReportRow,
): Promise<Json<AdminReport>> => {
  const all = row.status_ids.length
  const shown = join(row, await load(ctx, viewer, [row], all), all)
  if (shown === null) throw notFound()
  return shown
}
