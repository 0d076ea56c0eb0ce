/** Decides about an appeal, once. An approval overrules the strike and undoes its action. */
import { appealChanged } from '@murmuration/contracts/admin'
import { WarningAction } from '@murmuration/contracts/entities'
import { fail, invalidField, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { record } from '../core/audit-log/record.js'
import { lockStrike, overruleStrike, type StrikeRow, strikeOfAppeal } from '../strike/index.js'
import { checkDecider } from './rules.js'
import { lockAppeal, storeDecision } from './store.js'
import { undoAction } from './undo.js'

type AppealDecision = 'approved' | 'rejected'

/**
 * Approves or rejects an appeal. Repeating the same decision is safe. Throws 404 for an unknown appeal, and 403 if the
 * appeal is by the deciding account. Throws 422 if the appeal was decided differently, or if a rejection would confirm
 * an overruled strike.
 */
export const decideAppeal = async (
  ctx: Context,
  by: Viewer | null,
  id: string,
  decision: AppealDecision,
): Promise<StrikeRow> => {
  const at = ctx.clock.date()
  const found = await strikeOfAppeal(ctx.db, id)
  if (!found) throw notFound()
  checkDecider(by, found.target_account_id)
  const target = (await moderatedAccounts(ctx, [found.target_account_id])).get(found.target_account_id)
  const apply = await ctx.db.tx(async (tx) => {
    const strike = await lockStrike(tx, found.id)
    const appeal = await lockAppeal(tx, id)
    if (!strike || !appeal) throw notFound()
    if (appeal.state === decision) return null
    if (appeal.state !== 'pending') throw invalidField('Appeal was already decided')
    if (decision === 'rejected' && strike.overruled_at !== null) throw invalidField('Strike was overruled')
    // This release does not know the action of the strike, which a newer release added, so it cannot undo the action.
    if (decision === 'approved' && !WarningAction.safeParse(strike.action).success)
      throw fail('unavailable', 'There was a temporary problem serving your request, please try again')
    await storeDecision(tx, { id, state: decision, by: by?.id ?? null, at })
    const isApproved = decision === 'approved'
    if (isApproved) await overruleStrike(tx, strike.id, at)
    await record(ctx, tx, by, {
      action: isApproved ? 'approve_appeal' : 'reject_appeal',
      targetId: strike.target_account_id,
      target: target?.account.account.acct ?? `#${strike.target_account_id}`,
      before: {
        appeal_id: id,
        strike_id: strike.id,
        state: 'pending',
        text: appeal.text,
        overruled_at: strike.overruled_at,
      },
      after: {
        appeal_id: id,
        strike_id: strike.id,
        state: decision,
        overruled_at: strike.overruled_at ?? (isApproved ? at : null),
      },
    })
    await ctx.announce(tx, appealChanged, {
      id,
      strike: strike.id,
      target: strike.target_account_id,
      action: strike.action,
      text: appeal.text,
      state: decision,
    })
    return isApproved ? undoAction(ctx, tx, by, strike, target) : null
  })
  await apply?.()
  const stored = await strikeOfAppeal(ctx.db, id)
  if (!stored) throw notFound()
  return stored
}
