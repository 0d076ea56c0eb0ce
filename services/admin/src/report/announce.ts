/** Announces reports that staff changed. */
import { reportChanged } from '@murmuration/contracts/admin'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { ReportRow } from '../core/report.store.js'

export const announceReports = (ctx: Pick<Context, 'announce'>, tx: Tx, rows: readonly ReportRow[]): Promise<unknown> =>
  ctx.announce(
    tx,
    reportChanged,
    ...rows.map((row) => ({
      id: row.id,
      category: row.category,
      ruleIds: row.rule_ids,
      actionTakenAt: row.action_taken_at?.toISOString() ?? null,
    })),
  )
