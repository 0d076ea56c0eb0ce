/** Undoes marks of statuses as sensitive, one by one, if no later decision replaced them. */
import { actOnReportedStatuses, enforceStatusDecision } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { reopenReportsOf } from '../report/index.js'
import {
  applyStatuses,
  hasMarks,
  lockStatusDecision,
  putStatusDecisions,
  type StatusDecision,
} from '../status-decision/index.js'
import { strikeById } from '../strike/index.js'
import { ranked } from './ranked.js'
import { rowReversal } from './row.js'
import { authorsOfStrikes } from './store.js'

const Mark = z.object({ strike_id: z.string().nullable(), sensitive: z.boolean() })

/** Id of the strike whose statuses the undo changes. */
const strikeIn = (row: StatusDecision | null, to: z.output<typeof Mark> | null): string | null =>
  row?.strike_id ?? to?.strike_id ?? null

/** Reopens the report that a strike resolved, when no status has a mark of the strike any longer. */
const reopenReport = async (ctx: Context, tx: Tx, by: Viewer | null, id: string): Promise<void> => {
  const strike = await strikeById(tx, id)
  if (strike === null || (await hasMarks(tx, id, strike.status_ids))) return
  const action = { target: strike.target_account_id, by: strike.account_id, at: strike.created_at }
  await reopenReportsOf(ctx, tx, by, { actions: [action], reason: null })
}

const marks = rowReversal<StatusDecision, z.output<typeof Mark>>({
  needs: actOnReportedStatuses,
  recorded: Mark,
  lock: lockStatusDecision,
  async store(ctx, tx, { id, row, to, by }) {
    if (to !== null) await putStatusDecisions(tx, [{ status_id: id, ...to }])
    const ended = row?.strike_id ?? null
    if (ended !== null && ended !== to?.strike_id) await reopenReport(ctx, tx, by, ended)
    const strike = strikeIn(row, to)
    if (strike !== null) await ctx.queue(tx, enforceStatusDecision, { strike })
  },
  committed(ctx, { row, to }) {
    const strike = strikeIn(row, to)
    return strike === null ? undefined : applyStatuses(ctx, strike)
  },
})

/** Id of the strike in the recorded state before or after the action; null if neither state contains a strike. */
const strikeOf = ({ before, after }: AuditRow): string | null =>
  [before, after].flatMap((state) => Mark.safeParse(state).data?.strike_id ?? [])[0] ?? null

/** Account ids of the authors of the marked statuses, by audit log entry. */
const authorsOf = async (ctx: Context, entries: readonly AuditRow[]) => {
  const strikes = new Map(entries.map((entry) => [entry.id, strikeOf(entry)]))
  const targets = await authorsOfStrikes(
    ctx.db,
    [...strikes.values()].filter((id) => id !== null),
  )
  return new Map(
    [...strikes].flatMap(([id, strike]) => {
      const author = targets.get(strike ?? '')
      return author === undefined ? [] : [[id, author] as const]
    }),
  )
}

/** Only staff that outranks the author of the statuses may undo their marks, as only such staff may set the marks. */
export const statuses = ranked(marks, authorsOf)
