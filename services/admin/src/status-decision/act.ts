/** Acts on reported statuses: a strike, the audit log and the resolved report in one transaction, then the statuses themselves. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { enforceStatusDecision } from '@murmuration/contracts/admin'
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import { findModeratedStatuses } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { lockReport, type ReportRow } from '../core/report.store.js'
import { resolveReportsOf } from '../report/index.js'
import { addStrikes, type StrikeRow, strikeById } from '../strike/index.js'
import { applyStatuses } from './enforce.js'
import { affectedOf, type StatusAction, statusActionOf } from './rules.js'
import { putStatusDecisions } from './store.js'

interface Wanted {
  action: StatusAction
  /** Ids of the statuses to act on; null for all statuses of the report. */
  ids: readonly string[] | null
  text: string
  notify: boolean
}

const store = (ctx: Context, by: Viewer, target: AdminRecord, report: ReportRow, wanted: Wanted, ids: string[]) =>
  ctx.db.tx(async (tx: Tx) => {
    if (!(await lockReport(tx, report.id))) throw notFound()
    const { action, text, notify } = wanted
    const at = ctx.clock.date()
    const [strike = ''] = await addStrikes(ctx, tx, by, [target], {
      action,
      text,
      report,
      statusIds: ids,
      stamp: null,
      notify,
      at,
    })
    const isDeleted = action === 'delete_statuses'
    const decisions = ids.map((status_id) => ({ status_id, strike_id: strike, sensitive: true }))
    if (!isDeleted) await putStatusDecisions(tx, decisions)
    const of = { account_id: target.id, strike_id: strike }
    const before = isDeleted ? { ...of, deleted: false } : { ...of, strike_id: null, sensitive: false }
    const after = isDeleted ? { ...of, deleted: true } : { ...of, sensitive: true }
    await record(
      ctx,
      tx,
      by,
      ...ids.map((id) => ({
        action: isDeleted ? ('destroy_status' as const) : ('update_status' as const),
        targetId: id,
        target: target.account.account.acct,
        before,
        after,
        reason: text,
      })),
    )
    await resolveReportsOf(ctx, tx, by, { targets: [target.id], only: report.id, at })
    await ctx.queue(tx, enforceStatusDecision, { strike })
    return strike
  })

/** The statuses that an action would change. Throws 422 if no status would change. */
const findAffectedBy = async (
  ctx: Pick<Context, 'call'>,
  report: ReportRow,
  { action, ids: wanted }: Pick<Wanted, 'action' | 'ids'>,
): Promise<string[]> => {
  const ids = [...(wanted ?? report.status_ids)]
  const { statuses } = await ctx.call(findModeratedStatuses, { author: report.target_account_id, ids })
  return affectedOf(action, report, ids, statuses)
}

/** The statuses that an action would affect, from the same input as the operation that runs the action. */
export const findAffected = async (
  ctx: Pick<Context, 'call'>,
  report: ReportRow,
  given: string | null | undefined,
  wanted: readonly string[] | null,
): Promise<{ type: StatusAction; ids: string[] }> => {
  const type = statusActionOf(given)
  return { type, ids: await findAffectedBy(ctx, report, { action: type, ids: wanted }) }
}

/** Marks reported statuses as sensitive or deletes them. Throws 422 if no status would change. */
export const actOnStatuses = async (
  ctx: Context,
  by: Viewer,
  target: AdminRecord,
  report: ReportRow,
  wanted: Wanted,
): Promise<StrikeRow> => {
  const strike = await store(ctx, by, target, report, wanted, await findAffectedBy(ctx, report, wanted))
  await applyStatuses(ctx, strike)
  const stored = await strikeById(ctx.db, strike)
  if (!stored) throw notFound()
  return stored
}
