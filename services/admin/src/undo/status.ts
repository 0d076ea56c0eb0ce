/** Undoes marks of statuses as sensitive, one by one, if no later decision replaced them. */
import { actOnReportedStatuses, settleStatuses } from '@murmuration/contracts/admin'
import { z } from 'zod'
import { applyStatuses, lockStatusDecision, putStatusDecisions, type StatusDecision } from '../status-decision/index.js'
import { rowReversal } from './row.js'

const Mark = z.object({ strike_id: z.string().nullable(), sensitive: z.boolean() })

/** The strike whose statuses change. */
const strikeIn = (row: StatusDecision | null, to: z.output<typeof Mark> | null): string | null =>
  row?.strike_id ?? to?.strike_id ?? null

export const statuses = rowReversal<StatusDecision, z.output<typeof Mark>>({
  needs: actOnReportedStatuses,
  recorded: Mark,
  lock: lockStatusDecision,
  async store(ctx, tx, { id, row, to }) {
    if (to !== null) await putStatusDecisions(tx, [{ status_id: id, ...to }])
    const strike = strikeIn(row, to)
    if (strike !== null) await ctx.queue(tx, settleStatuses, { strike })
  },
  committed(ctx, { row, to }) {
    const strike = strikeIn(row, to)
    return strike === null ? undefined : applyStatuses(ctx, strike)
  },
})
