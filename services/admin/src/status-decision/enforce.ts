/** Applies the latest decisions of staff to statuses: marked as sensitive, no longer marked, or deleted. */
import { isDeepStrictEqual } from 'node:util'
import { fail } from '@murmuration/contracts/kit'
import { deleteModeratedStatuses, markStatusesSensitive } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { strikeById } from '../strike/index.js'
import { type StatusDecision, statusDecisions } from './store.js'

const ROUNDS = 5

/**
 * Key of sensitivity marks by staff in the statuses service. Authors mark their statuses with another key, so that an
 * undo keeps the marks of authors.
 */
const MARK = 'staff'

/**
 * Marks or unmarks statuses of an author by the latest decisions. If a decision changes meanwhile, the decisions are
 * applied again.
 */
const applyMarks = async (ctx: Pick<Context, 'db' | 'call'>, author: string, ids: readonly string[]) => {
  let decisions = await statusDecisions(ctx.db, ids)
  for (let round = 0; round < ROUNDS; round++) {
    const { true: on = [], false: off = [] } = Object.groupBy(decisions, (one) => String(one.sensitive))
    const of = (some: readonly StatusDecision[]) => ({ author, ids: some.map((one) => one.status_id), mark: MARK })
    await ctx.call(markStatusesSensitive, { ...of(on), sensitive: true })
    await ctx.call(markStatusesSensitive, { ...of(off), sensitive: false })
    const after = await statusDecisions(ctx.db, ids)
    if (isDeepStrictEqual(after, decisions)) return
    decisions = after
  }
  throw fail('unavailable', 'The statuses keep changing', { retryAfter: 5 })
}

/** Marks, unmarks or deletes the statuses of a strike by the latest decision. The function is safe to repeat. */
export const enforceStatusDecisionNow = async (ctx: Pick<Context, 'db' | 'call'>, id: string): Promise<void> => {
  const strike = await strikeById(ctx.db, id)
  if (strike === null) return
  const { target_account_id: author, status_ids: ids } = strike
  if (strike.action === 'mark_statuses_as_sensitive') await applyMarks(ctx, author, ids)
  else if (strike.action === 'delete_statuses') await ctx.call(deleteModeratedStatuses, { author, ids })
}

/**
 * Applies the decision about the statuses of a strike immediately. If the request to the statuses service fails, the
 * queued job applies the decision.
 */
export const applyStatuses = (ctx: Context, strike: string): Promise<void> =>
  enforceStatusDecisionNow(ctx, strike).catch((error) =>
    ctx.log.warn({ error, strike }, 'a decision about statuses is applied later'),
  )
