/** Stores and announces reports of local accounts and of other servers. */
import { reportFiled } from '@murmuration/contracts/admin'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { hasOpenReport, hasSameReport, insertReport, isUriOfOther, type ReportRow } from '../core/report.store.js'

/** The row of a new report. */
export const freshReport = (
  ctx: Pick<Context, 'ids' | 'clock'>,
  given: Pick<
    ReportRow,
    | 'uri'
    | 'account_id'
    | 'target_account_id'
    | 'target_domain'
    | 'status_ids'
    | 'rule_ids'
    | 'collection_ids'
    | 'category'
    | 'comment'
    | 'forwarded'
  >,
): ReportRow => {
  const at = ctx.clock.date()
  return {
    id: ctx.ids.next(),
    ...given,
    assigned_account_id: null,
    action_taken_at: null,
    action_taken_by_account_id: null,
    created_at: at,
    updated_at: at,
  }
}

/**
 * Period within which a report of another server without an activity id repeats an open one with the same content. A
 * server that got no response in time sends its report again. Its signature then has another time, so that
 * `services/federation/src/inbox/inbox.store.ts` does not recognise the repetition.
 */
const REPEAT_MS = 86_400_000

/** Stores a report of another server. Returns the stored row; null if the report repeats a stored one. */
const insertRemote = async (ctx: Context, tx: Tx, given: ReportRow): Promise<ReportRow | null> => {
  if (given.uri !== null) {
    // The insert waits for a transaction that stores the same activity id, so `isUriOfOther` reads its row.
    if ((await insertReport(tx, given)) > 0) return given
    if (!(await isUriOfOther(tx, given))) return null
  }
  // Some servers use one id for all their reports.
  const row = { ...given, uri: null }
  const since = new Date(row.created_at.getTime() - REPEAT_MS)
  if (!(await hasSameReport(tx, row, since))) {
    await insertReport(tx, row)
    return row
  }
  const { account_id: reporter, target_account_id: target } = row
  tx.onCommit(() => ctx.log.info({ reporter, target }, 'a repeated report of another server was not stored'))
  return null
}

/**
 * Stores and announces a report. Does nothing if a report with the same activity id and content exists. `isRemote`: a
 * report of another server, which is only logged if it repeats an open one (`REPEAT_MS`).
 */
export const fileReport = async (
  ctx: Context,
  tx: Tx,
  given: ReportRow,
  { forward = [], isRemote = false }: { forward?: string[]; isRemote?: boolean },
): Promise<void> => {
  const open = await hasOpenReport(tx, given.target_account_id)
  const row = isRemote ? await insertRemote(ctx, tx, given) : (await insertReport(tx, given)) > 0 ? given : null
  if (row === null) return
  await ctx.announce(tx, reportFiled, {
    id: row.id,
    reporter: row.account_id,
    target: row.target_account_id,
    statusIds: row.status_ids,
    ruleIds: row.rule_ids,
    collectionIds: row.collection_ids,
    comment: row.comment,
    category: row.category,
    createdAt: row.created_at.toISOString(),
    forward,
    first: !open,
  })
}
