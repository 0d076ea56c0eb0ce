/** Bringing a state of an account to what staff decided last. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { moderationOf } from '../domain/account-action.js'
import { leavesToRules } from '../domain/account-state.js'
import { type AccountState, type DecisionRow, decisionOf } from '../store/decision.js'
import { moderatedAccounts } from '../views/admin-account.js'
import { rulesInForce } from './rule-in-force.js'

const ROUNDS = 5

/** The request that carries out a decision. A rule in force decides where staff leaves the state to rules. */
const stepOf = async (
  ctx: Pick<Context, 'db' | 'call' | 'config'>,
  account: string,
  state: AccountState,
  decision: DecisionRow,
): Promise<{ action: ReturnType<typeof moderationOf>; stamp: string; replaces?: true }> => {
  const { wanted, stamp, replaces } = decision
  if (!leavesToRules(decision))
    return { action: moderationOf(state, wanted), stamp, ...(replaces ? { replaces: true } : {}) }
  const target = (await moderatedAccounts(ctx, [account])).get(account)
  const rule = target && (await rulesInForce(ctx, ctx.db, [target], state)).get(account)
  return rule === undefined
    ? { action: moderationOf(state, false), stamp }
    : { action: moderationOf(state, true), stamp: rule, replaces: true }
}

/** May run twice and beside another one: it looks again after its work, and goes on while the decision or the rule changed. */
export const settleAccountNow = async (
  ctx: Pick<Context, 'db' | 'call' | 'config'>,
  account: string,
  state: AccountState,
): Promise<void> => {
  const next = async () => {
    const decision = await decisionOf(ctx.db, account, state)
    return decision && (await stepOf(ctx, account, state, decision))
  }
  let step = await next()
  for (let round = 0; round < ROUNDS; round++) {
    if (step === null) return
    await ctx.call(accountModerate, { id: account, ...step })
    const after = await next()
    if (after?.action === step.action && after.stamp === step.stamp) return
    step = after
  }
  throw fail('unavailable', 'The account keeps changing', { retryAfter: 5 })
}
