/** Bringing a state of an account to what staff decided last. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { moderationOf } from '../domain/account-action.js'
import { type AccountState, decisionOf } from '../store/decision.js'

const ROUNDS = 5

/** May run twice and beside another one: it looks again after its work, and goes on while the decision changed. */
export const settleAccountNow = async (
  ctx: Pick<Context, 'db' | 'call'>,
  account: string,
  state: AccountState,
): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) {
    const decision = await decisionOf(ctx.db, account, state)
    if (decision === null) return
    const action = moderationOf(state, decision.wanted)
    const { stamp, replaces } = decision
    await ctx.call(accountModerate, { id: account, action, stamp, ...(replaces ? { replaces } : {}) })
    const after = await decisionOf(ctx.db, account, state)
    if (after?.wanted === decision.wanted && after.stamp === decision.stamp) return
  }
  throw fail('unavailable', 'The account keeps changing', { retryAfter: 5 })
}
