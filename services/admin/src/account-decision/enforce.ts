/** Applies the last decision of staff about a state of accounts. */
import { MAX_MODERATED, moderateAccount } from '@murmuration/contracts/accounts'
import { enforceAccountDecision, enforceAccountDecisions } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { moderationOf } from '../core/account-action.rules.js'
import { leavesToRules } from '../core/account-state.rules.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { rulesInForce } from './domain-rule.js'
import { type AccountState, type DecisionRow, decisionsOf } from './store.js'

const ROUNDS = 5

/** Request to the accounts service that applies a decision. */
interface Step {
  action: ReturnType<typeof moderationOf>
  stamp: string
  replaces?: true
}

/** Returns the request that applies a decision. If staff leaves the state to domain rules, the current rule decides. */
const stepOf = (state: AccountState, decision: DecisionRow, rule: string | undefined): Step => {
  const { wanted, stamp, replaces } = decision
  if (!leavesToRules(decision))
    return { action: moderationOf(state, wanted), stamp, ...(replaces ? { replaces: true } : {}) }
  return rule === undefined
    ? { action: moderationOf(state, false), stamp, replaces: true }
    : { action: moderationOf(state, true), stamp: rule, replaces: true }
}

/** Returns the requests to the accounts service that apply the current decisions, by account id. */
const stepsOf = async (
  ctx: Pick<Context, 'db' | 'call' | 'config'>,
  accounts: readonly string[],
  state: AccountState,
): Promise<Map<string, Step>> => {
  const decisions = await decisionsOf(ctx.db, state, accounts)
  const left = [...decisions].flatMap(([id, decision]) => (leavesToRules(decision) ? [id] : []))
  const targets = left.length === 0 ? [] : [...(await moderatedAccounts(ctx, left)).values()]
  const rules = targets.length === 0 ? new Map<string, string>() : await rulesInForce(ctx, ctx.db, targets, state)
  return new Map([...decisions].map(([id, decision]) => [id, stepOf(state, decision, rules.get(id))]))
}

const keyOf = ({ action, stamp }: Step): string => `${action} ${stamp}`

/** Sends one request to the accounts service for each group of accounts that need the same change. */
const carryOutSteps = async (ctx: Pick<Context, 'call'>, steps: ReadonlyMap<string, Step>): Promise<void> => {
  const groups = Map.groupBy(steps, ([, step]) => JSON.stringify(step))
  await Promise.all(
    [...groups.values()].flatMap((group) =>
      group.slice(0, 1).map(([id, step]) => {
        const whom = group.length === 1 ? { id } : { ids: group.map(([one]) => one) }
        return ctx.call(moderateAccount, { ...whom, ...step })
      }),
    ),
  )
}

/**
 * Applies the last decisions about one state of these accounts. Afterwards reads the decisions again, and repeats for
 * accounts whose decision or domain rule changed meanwhile. The operation is safe to repeat and to run concurrently.
 */
export const enforceDecisions = async (
  ctx: Pick<Context, 'db' | 'call' | 'config'>,
  accounts: readonly string[],
  state: AccountState,
): Promise<void> => {
  let steps = await stepsOf(ctx, accounts, state)
  for (let round = 0; round < ROUNDS; round++) {
    if (steps.size === 0) return
    await carryOutSteps(ctx, steps)
    const after = await stepsOf(ctx, [...steps.keys()], state)
    const done = steps
    steps = new Map(
      [...after].filter(([id, step]) => {
        const before = done.get(id)
        return before === undefined || keyOf(before) !== keyOf(step)
      }),
    )
  }
  if (steps.size > 0) throw fail('unavailable', 'The account keeps changing', { retryAfter: 5 })
}

/** Like `enforceDecisions`, for one account. */
export const enforceDecision = (
  ctx: Pick<Context, 'db' | 'call' | 'config'>,
  account: string,
  state: AccountState,
): Promise<void> => enforceDecisions(ctx, [account], state)

/** Queues jobs that apply decisions about one state of accounts, several accounts per job. */
export const queueEnforcement = async (
  ctx: Pick<Context, 'queue'>,
  tx: Tx,
  accounts: readonly string[],
  state: AccountState,
): Promise<void> => {
  const [only] = accounts
  if (only !== undefined && accounts.length === 1) await ctx.queue(tx, enforceAccountDecision, { account: only, state })
  else
    await ctx.queue(
      tx,
      enforceAccountDecisions,
      ...chunk(accounts, MAX_MODERATED).map((some) => ({ accounts: some, state })),
    )
}
