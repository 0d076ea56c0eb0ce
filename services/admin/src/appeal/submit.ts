/** Stores the appeal of an account holder, and announces it. */
import { appealChanged } from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { appealDeadline, lockStrike, type StrikeRow } from '../strike/index.js'
import { appealTextOf, checkTime } from './rules.js'
import { insertAppeal } from './store.js'

/**
 * Stores and announces an appeal against a strike. Repeating the appeal with the same text is safe. Throws 404 for the
 * strike of another account, and 422 for a second appeal.
 */
export const submitAppeal = async (
  ctx: Context,
  account: string,
  strikeId: string,
  given: string | undefined,
): Promise<StrikeRow> =>
  ctx.db.tx(async (tx) => {
    const strike = await lockStrike(tx, strikeId)
    if (strike?.target_account_id !== account) throw notFound()
    const text = appealTextOf(given)
    if (strike.appeal_id !== null) {
      if (strike.appeal_text === text) return strike
      throw invalidField('Strike has already been appealed')
    }
    checkTime(strike, appealDeadline(strike), ctx.clock.now())
    const id = ctx.ids.next()
    await insertAppeal(tx, { id, strike_id: strikeId, text, created_at: ctx.clock.date() })
    await ctx.announce(tx, appealChanged, {
      id,
      strike: strikeId,
      target: account,
      action: strike.action,
      text,
      state: 'pending',
    })
    const stored = await lockStrike(tx, strikeId)
    if (!stored) throw notFound()
    return stored
  })
