/** Stores a strike with its action, and announces it. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { strikeCreated } from '@murmuration/contracts/admin'
import type { WarningAction } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import type { ReportRow } from '../core/report.store.js'
import { insertStrikes } from './store.js'

export interface NewAction {
  action: WarningAction
  text: string
  report: ReportRow | null
  statusIds: string[]
  /** Stamp of the decision about the account that the action caused; null if it caused none. */
  stamp: string | null
  /** True if the account holder gets a notification and an e-mail. */
  notify: boolean
  /** Time of the action. The reports that the action resolves get the same time, by which an undo finds them. */
  at: Date
}

/**
 * Adds a strike against each of several accounts, in the transaction of the action. Returns the ids of the strikes in
 * the order of the accounts.
 */
export const addStrikes = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  targets: readonly AdminRecord[],
  given: NewAction,
): Promise<string[]> => {
  if (targets.length === 0) return []
  const { action, text, report, stamp } = given
  const strikes = targets.map((target) => ({ target, id: ctx.ids.next() }))
  const created_at = given.at
  const rows = strikes.map(({ target, id }) => ({
    id,
    account_id: by.id,
    target_account_id: target.id,
    action,
    text,
    report_id: report?.id ?? null,
    status_ids: given.statusIds,
    stamp,
    created_at,
  }))
  await insertStrikes(tx, rows)
  // Only a warning without an action (`none`) is logged here. Any other action adds its own audit log entry.
  if (action === 'none' && text !== '')
    await record(
      ctx,
      tx,
      by,
      ...strikes.map(({ target, id }) => ({
        action: 'create_account_warning' as const,
        targetId: target.id,
        target: target.account.account.acct,
        after: { strike_id: id, report_id: report?.id ?? null, text },
        reason: text,
      })),
    )
  await ctx.announce(
    tx,
    strikeCreated,
    ...strikes.map(({ target, id }) => {
      const targetLocal = target.account.domain === null
      const notify = targetLocal && given.notify
      return { id, target: target.id, targetLocal, action, text, statusIds: given.statusIds, tell: notify }
    }),
  )
  return strikes.map(({ id }) => id)
}
