/** Resolves the reports to which a moderation action refers, and reopens them when the action is undone. */
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { type ResolvingAction, reopenReports, resolveReports } from '../core/report.store.js'
import { announceReports } from './announce.js'

/**
 * Resolves the open reports about accounts, or only the report `only`, and records each resolution in the audit log.
 */
export const resolveReportsOf = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  { at, ...which }: { targets: readonly string[]; only: string | null; at: Date },
): Promise<void> => {
  const resolved = await resolveReports(tx, which, by.id, at)
  await announceReports(ctx, tx, resolved)
  await record(
    ctx,
    tx,
    by,
    ...resolved.map(({ id }) => ({
      action: 'resolve_report' as const,
      targetId: id,
      target: `#${id}`,
      before: { action_taken_at: null, action_taken_by_account_id: null },
      after: { action_taken_at: at, action_taken_by_account_id: by.id },
    })),
  )
}

/**
 * Reopens the reports that undone actions had resolved, and records each reopening in the audit log. `by` is null for
 * operators.
 */
export const reopenReportsOf = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  { actions, reason }: { actions: readonly ResolvingAction[]; reason: string | null },
): Promise<void> => {
  if (actions.length === 0) return
  const reopened = await reopenReports(tx, actions, ctx.clock.date())
  await announceReports(ctx, tx, reopened)
  await record(
    ctx,
    tx,
    by,
    ...reopened.map(({ id, resolved_at, resolved_by }) => ({
      action: 'reopen_report' as const,
      targetId: id,
      target: `#${id}`,
      before: { action_taken_at: resolved_at, action_taken_by_account_id: resolved_by },
      after: { action_taken_at: null, action_taken_by_account_id: null },
      reason,
    })),
  )
}
