/** States of accounts in the audit log: the content of an entry, and the state that its undo must restore. */

import type { AdminRecord } from '@murmuration/contracts/accounts'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import type { State } from './account-action.rules.js'

const Decision = z.object({ wanted: z.boolean(), stamp: z.string(), replaces: z.boolean().default(false) })
type Decision = z.infer<typeof Decision>

const stamp = z.string().nullable()
/** States of an account in an audit log entry. Entries of older releases have neither stamps nor decisions. */
const AccountState = z.object({
  disabled: z.boolean(),
  sensitized: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
  suspended_locally: z.boolean().optional(),
  silenced_by: stamp.default(null),
  suspended_by: stamp.default(null),
  decision: Decision.nullable().optional(),
})
export type AccountState = z.infer<typeof AccountState>

const After = z.union([AccountState, z.object({ action: z.string() })])

/** The states of an account that moderators change, in the form that audit log entries store. */
export const stateOf = ({ account, suspended_locally, stamps }: AdminRecord) => ({
  disabled: account.disabled,
  sensitized: account.sensitized,
  silenced: account.silenced,
  suspended: account.suspended,
  suspended_locally,
  silenced_by: stamps.silenced,
  suspended_by: stamps.suspended,
})

const STAMPS = { silence: 'silenced_by', suspend: 'suspended_by' } as const

const stampIn = (states: Pick<AccountState, 'silenced_by' | 'suspended_by'>, state: State): string | null =>
  state === 'silence' || state === 'suspend' ? states[STAMPS[state]] : null

/** True for limits and suspensions of remote accounts, because domain rules may set these states too. */
export const mayBeRuled = (target: AdminRecord, state: State): state is 'silence' | 'suspend' =>
  target.account.domain !== null && (state === 'silence' || state === 'suspend')

/**
 * True if a limit or suspension by staff replaces a limit or suspension that a domain rule set. Without a new stamp,
 * the decision of staff would end together with the rule.
 */
export const isReplacing = (target: AdminRecord, state: State, wanted: boolean, last: Decision | null): boolean =>
  wanted && mayBeRuled(target, state) && !(last?.wanted && last.stamp === stampIn(stateOf(target), state))

/**
 * The states of an account after a decision about one of them. An existing limit or suspension keeps its stamp unless
 * it is replaced.
 */
export const stateAfter = (target: AdminRecord, state: State, { wanted, stamp, replaces }: Decision) => {
  const before = stateOf(target)
  // Remote accounts have no login, so they cannot be disabled.
  if (state === 'disable') return { ...before, disabled: wanted && target.account.domain === null }
  if (state === 'sensitive') return { ...before, sensitized: wanted }
  const former = replaces ? null : before.silenced_by
  if (state === 'silence') return { ...before, silenced: wanted, silenced_by: wanted ? (former ?? stamp) : null }
  if (!wanted) return { ...before, suspended: false, suspended_locally: false, suspended_by: null }
  const kept = before.suspended_locally && !replaces ? before.suspended_by : stamp
  return { ...before, suspended: true, suspended_locally: true, suspended_by: kept }
}

/**
 * Time in milliseconds (one minute) within which a stored decision is applied to the account. Within this time, the
 * record of the account may not show the decision yet.
 */
const APPLIED_MS = 60_000

/**
 * The record of an account, in which the last decision about a state is applied if the decision is at most `APPLIED_MS`
 * old.
 */
export const withDecision = (target: AdminRecord, state: State, last: Decision | null, now: number): AdminRecord => {
  if (last === null || leavesToRules(last) || now - readTime(last.stamp) > APPLIED_MS) return target
  const { disabled, sensitized, silenced, suspended, suspended_locally, silenced_by, suspended_by } = stateAfter(
    target,
    state,
    last,
  )
  return {
    ...target,
    suspended_locally,
    stamps: { silenced: silenced_by, suspended: suspended_by },
    account: { ...target.account, disabled, sensitized, silenced, suspended },
  }
}

export interface StateChange {
  state: State
  wanted: boolean
  /** The state before the action, with its stamp. */
  was: Former
  /** True if the action did not change the account, because the account had this state already. */
  kept: boolean
  /** The decision that the audit log entry records; null in entries of older releases. */
  decided: Decision | null
}

interface Former {
  on: boolean
  stamp: string | null
  decision: Decision | null
  /** True if the remote server of the account suspended it. */
  remotely: boolean
}

const FLAGS = { disable: 'disabled', sensitive: 'sensitized', silence: 'silenced', suspend: 'suspended' } as const

/** True if the account is in this state. */
export const isOn = (target: AdminRecord, state: State): boolean => stateOf(target)[FLAGS[state]]

/** The change that an audit log entry records; null if the entry does not record the state before the change. */
export const changeIn = (
  entry: { before: unknown; after: unknown },
  state: State,
  wanted: boolean,
): StateChange | null => {
  const [before, after] = [AccountState.safeParse(entry.before), After.safeParse(entry.after)]
  if (!before.success || !after.success) return null
  const was = {
    on: before.data[FLAGS[state]],
    stamp: stampIn(before.data, state),
    decision: before.data.decision ?? null,
    remotely: state === 'suspend' && before.data.suspended && before.data.suspended_locally === false,
  }
  if (!('decision' in after.data) || !after.data.decision)
    return was.on === wanted ? null : { state, wanted, was, kept: false, decided: null }
  const kept = was.on === wanted && stampIn(before.data, state) === stampIn(after.data as AccountState, state)
  return { state, wanted, was, kept, decided: after.data.decision }
}

/**
 * The decision that restores the state before an action. Null deletes the decision, because the action was the first
 * decision and changed nothing. A state that a domain rule set is left to the rules (`DecisionRow` in
 * `account-decision/store.ts`), because the rule may have ended or changed.
 */
export const restoringDecision = (
  { kept, was, state }: StateChange,
  target: AdminRecord,
  stamp: string,
): Decision | null => {
  if (kept) return was.decision
  const { on, decision } = was
  const ruled = mayBeRuled(target, state)
  if (!on && decision?.wanted === false) return decision
  if (!on) return { wanted: false, stamp, replaces: ruled }
  if (was.stamp === null) return { wanted: true, stamp: decision?.wanted ? decision.stamp : stamp, replaces: false }
  const isOfRule = ruled && !was.remotely && !(decision?.wanted && decision.stamp === was.stamp)
  if (isOfRule) return { wanted: false, stamp, replaces: true }
  // A repeated decision about a local account gets a new stamp, but the account keeps its earlier stamp.
  const isOfStaff = decision?.wanted && !was.remotely
  return { wanted: true, stamp: isOfStaff ? decision.stamp : was.stamp, replaces: true }
}

/** True if the decision of staff leaves the state to the domain rules. */
export const leavesToRules = (decision: Pick<Decision, 'wanted' | 'replaces'>): boolean =>
  !decision.wanted && decision.replaces

/** The recorded fields in an audit log entry that belong to one state. */
const ownPart = (recorded: unknown, state: State): object => {
  const names = [
    'suspended_locally',
    FLAGS[state],
    ...(state === 'silence' || state === 'suspend' ? [STAMPS[state]] : []),
  ]
  const own = state === 'suspend' ? names : names.slice(1)
  const parsed = AccountState.safeParse(recorded)
  return parsed.success ? Object.fromEntries(Object.entries(parsed.data).filter(([name]) => own.includes(name))) : {}
}

/** The fields of a state that a domain rule with this stamp sets; null: no rule sets the state. */
const ruledPart = (state: State, stamp: string | null): object => {
  if (state === 'silence') return { silenced: stamp !== null, silenced_by: stamp }
  return { suspended: stamp !== null, suspended_locally: stamp !== null, suspended_by: stamp }
}

/**
 * The states before and after an undo, for its audit log entry. `rule`: stamp of the current domain rule if the
 * decision leaves the state to the rules.
 */
export const restoredStates = (
  target: AdminRecord,
  entry: { before: unknown; after: unknown },
  state: State,
  { decision, rule }: { decision: Decision | null; rule: string | null },
) => {
  const after = After.safeParse(entry.after)
  const undone = after.success && 'decision' in after.data ? (after.data.decision ?? null) : null
  const restored = decision && leavesToRules(decision) ? ruledPart(state, rule) : ownPart(entry.before, state)
  return {
    before: { ...stateOf(target), ...ownPart(entry.after, state), decision: undone },
    after: { ...stateOf(target), ...restored, decision },
  }
}
