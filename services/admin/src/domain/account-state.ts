/** States of accounts in the audit log: what an entry records, and what an undo of it must restore. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { z } from 'zod'
import type { State } from './account-action.js'

const Decision = z.object({ wanted: z.boolean(), stamp: z.string(), replaces: z.boolean().default(false) })
type Decision = z.infer<typeof Decision>

const stamp = z.string().nullable()
/** Entries of older versions have neither stamps nor decisions. */
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

/** The states of an account that moderators change. */
export const stateOf = ({ account, suspended_locally, stamps }: AdminRecord) => ({
  disabled: account.disabled,
  sensitized: account.sensitized,
  silenced: account.silenced,
  suspended: account.suspended,
  suspended_locally,
  silenced_by: stamps.silenced,
  suspended_by: stamps.suspended,
})

/** The same after a decision about one state. A limit or suspension that is in force keeps its stamp. */
export const stateAfter = (
  target: AdminRecord,
  state: State,
  { wanted, stamp }: Pick<Decision, 'wanted' | 'stamp'>,
) => {
  const before = stateOf(target)
  if (state === 'disable') return { ...before, disabled: wanted }
  if (state === 'sensitive') return { ...before, sensitized: wanted }
  if (state === 'silence')
    return { ...before, silenced: wanted, silenced_by: wanted ? (before.silenced_by ?? stamp) : null }
  if (!wanted) return { ...before, suspended: false, suspended_locally: false, suspended_by: null }
  const kept = before.suspended_locally ? before.suspended_by : stamp
  return { ...before, suspended: true, suspended_locally: true, suspended_by: kept }
}

export interface StateChange {
  state: State
  wanted: boolean
  /** How the state was, and the stamp that it had. */
  was: { on: boolean; stamp: string | null; decision: Decision | null }
  /** True when the account did not change, because it was in that state already. */
  kept: boolean
  /** The stamp of the decision; null in entries of older versions. */
  stamp: string | null
}

const FLAGS = { disable: 'disabled', sensitive: 'sensitized', silence: 'silenced', suspend: 'suspended' } as const
const STAMPS = { silence: 'silenced_by', suspend: 'suspended_by' } as const

/** Whether an account is in a state now. */
export const isOn = (target: AdminRecord, state: State): boolean => stateOf(target)[FLAGS[state]]

const stampIn = (states: AccountState, state: State): string | null =>
  state === 'silence' || state === 'suspend' ? states[STAMPS[state]] : null

/** The change that an entry records; null when it does not record the state before. */
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
  }
  if (!('decision' in after.data) || !after.data.decision)
    return was.on === wanted ? null : { state, wanted, was, kept: false, stamp: null }
  const kept = was.on === wanted && stampIn(before.data, state) === stampIn(after.data as AccountState, state)
  return { state, wanted, was, kept, stamp: after.data.decision.stamp }
}

/** The fields that one state consists of, as an entry recorded them. */
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

/** The states before and after an undo: as they are now, with the recorded ones of the state that it restores. */
export const restoredStates = (
  target: AdminRecord,
  entry: { before: unknown; after: unknown },
  state: State,
  decision: Decision | null,
) => {
  const after = After.safeParse(entry.after)
  const undone = after.success && 'decision' in after.data ? (after.data.decision ?? null) : null
  return {
    before: { ...stateOf(target), ...ownPart(entry.after, state), decision: undone },
    after: { ...stateOf(target), ...ownPart(entry.before, state), decision },
  }
}
