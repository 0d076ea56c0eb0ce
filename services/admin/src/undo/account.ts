/**
 * Undoes moderation actions that set or ended one state of an account (`disable`, `sensitive`, `silence` or `suspend`).
 * Other states of the account stay unchanged.
 */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { actOnAccount, type UndoObstacle } from '@murmuration/contracts/admin'
import { Failure, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { readTime } from '@murmuration/text'
import {
  carryOut,
  type DecisionRow,
  decisionsOf,
  deleteDecisions,
  lockDecisions,
  putDecisions,
  queueEnforcement,
  rulesInForce,
  setEmailBlocks,
} from '../account-decision/index.js'
import type { Context } from '../context.js'
import { auditNameOf, checkAct, checkEnd, type State } from '../core/account-action.rules.js'
import {
  changeIn,
  isOn,
  leavesToRules,
  restoredStates,
  restoringDecision,
  type StateChange,
} from '../core/account-state.rules.js'
import { moderatedAccounts } from '../core/admin-account.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { dropDeletions } from '../core/decision.store.js'
import { reopenReportsOf } from '../report/index.js'
import { updateOverruled } from '../strike/index.js'
import {
  claim,
  type Outcome,
  POSSIBLE,
  type Restored,
  type Reversal,
  recordUndos,
  type UndoRequest,
} from './reversal.js'

interface Undone {
  entry: AuditRow
  change: StateChange
  target: AdminRecord
}

/** True if the actor's rank permits the undo, by the check that the opposite action needs. */
const isPermitted = (by: Viewer | null, { change, target }: Undone): boolean => {
  const { position } = target
  try {
    if (change.wanted) checkEnd(by, change.state, { position, local: true, suspendedLocally: true })
    else checkAct(by, change.state, position)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden') return false
    throw error
  }
}

/**
 * True if the state of the account changed after the action. A later decision that is not applied yet is recognised by
 * its stamp.
 */
const hasChanged = ({ change, target }: Undone, decision: DecisionRow | undefined): boolean => {
  if (decision?.wanted !== (change.decided?.wanted ?? change.wanted)) return true
  if (change.decided === null) return isOn(target, change.state) !== change.wanted
  if (decision.stamp !== change.decided.stamp) return true
  return change.kept && isOn(target, change.state) !== change.wanted
}

type Evaluated = { possible: Undone[]; outcomes: Map<string, Outcome> }

/** Splits audit log entries: entries that can be undone, and the obstacles of the other entries. */
const evaluate = (
  entries: readonly AuditRow[],
  { state, wanted }: { state: State; wanted: boolean },
  found: { records: ReadonlyMap<string, AdminRecord>; decisions: ReadonlyMap<string, DecisionRow> },
  by: Viewer | null,
): Evaluated => {
  const possible: Undone[] = []
  const outcomes = new Map<string, Outcome>()
  for (const entry of entries) {
    const [change, target] = [changeIn(entry, state, wanted), found.records.get(entry.target_id ?? '')]
    const obstacle = ((): UndoObstacle | null => {
      if (!target) return 'account_deleted'
      if (!change) return 'not_recorded'
      const one = { entry, change, target }
      if (!isPermitted(by, one)) return 'not_permitted'
      if (hasChanged(one, found.decisions.get(target.id))) return 'changed_since'
      possible.push(one)
      return null
    })()
    outcomes.set(entry.id, obstacle === null ? POSSIBLE : { obstacle })
  }
  return { possible, outcomes }
}

/** Overrules the strikes of undone actions, and reinstates the strikes of actions that take effect again. */
const updateStrikes = async (tx: Tx, at: Date, undone: readonly (Undone & { decision: DecisionRow | null })[]) => {
  const ended = undone.flatMap(({ change, target: { id: account } }) =>
    change.wanted && !change.kept && change.decided !== null ? [{ account, stamp: change.decided.stamp }] : [],
  )
  const back = undone.flatMap(({ change, decision, target: { id: account } }) =>
    change.was.on && decision ? [{ account, stamp: decision.stamp }] : [],
  )
  await updateOverruled(tx, { undone: ended, restored: back }, at)
}

/** The undone actions of moderators that may have resolved reports. */
const resolvingActions = (undone: readonly Undone[]) =>
  undone.flatMap(({ entry: { actor_id: by }, change: { wanted, decided }, target }) =>
    wanted && decided !== null && by !== null ? [{ target: target.id, by, at: new Date(readTime(decided.stamp)) }] : [],
  )

const targetsOf = (undone: readonly Undone[]): AdminRecord[] => undone.map(({ target }) => target)

/**
 * True if the account has the state after the undo. If the undo leaves the state to the domain rules, a rule counts
 * only for an action that ended the state.
 */
const isOnAgain = ({ wanted, was }: StateChange, decision: DecisionRow | null, rule: string | null): boolean =>
  decision && leavesToRules(decision) ? !wanted && rule !== null : was.on

const restore = async (
  ctx: Context,
  tx: Tx,
  state: State,
  undone: readonly Undone[],
  { by, reason }: UndoRequest,
): Promise<Restored[]> => {
  if (undone.length === 0) return []
  const stamp = ctx.clock.date().toISOString()
  const rules = await rulesInForce(ctx, tx, targetsOf(undone), state)
  const restored = undone.map((one) => {
    const decision = restoringDecision(one.change, one.target, stamp)
    return { ...one, decision, rule: rules.get(one.target.id) ?? null }
  })
  const changed = undone.filter(({ change }) => !change.kept)
  await putDecisions(
    tx,
    state,
    restored.flatMap(({ target, decision }) => (decision ? [{ account: target.id, ...decision }] : [])),
  )
  await deleteDecisions(
    tx,
    state,
    restored.flatMap(({ target, decision }) => (decision ? [] : [target.id])),
  )
  if (state === 'suspend') {
    const { true: back = [], false: off = [] } = Object.groupBy(changed, ({ change }) => String(change.was.on))
    await setEmailBlocks(ctx, tx, targetsOf(back), true)
    await setEmailBlocks(ctx, tx, targetsOf(off), false)
    await dropDeletions(
      tx,
      off.map(({ target }) => target.id),
    )
  }
  await updateStrikes(tx, ctx.clock.date(), restored)
  await reopenReportsOf(ctx, tx, by, { actions: resolvingActions(undone), reason })
  await queueEnforcement(
    ctx,
    tx,
    changed.map(({ target }) => target.id),
    state,
  )
  return restored.map(({ entry, change, target, decision, rule }) => ({
    entry,
    action: auditNameOf(state, isOnAgain(change, decision, rule)),
    ...restoredStates(target, entry, state, { decision, rule }),
  }))
}

/** The reversal of actions that set one state of accounts to one value (`wanted`). */
export const accountReversal = (state: State, wanted: boolean): Reversal => ({
  needs: actOnAccount,
  async reverse(ctx, entries, request) {
    const ids = entries.flatMap((entry) => entry.target_id ?? [])
    const records = await moderatedAccounts(ctx, ids)
    const evaluated = (decisions: ReadonlyMap<string, DecisionRow>) =>
      evaluate(entries, { state, wanted }, { records, decisions }, request.by)
    if (request.dry) return evaluated(await decisionsOf(ctx.db, state, ids)).outcomes
    const { undone, outcomes } = await ctx.db.tx(async (tx) => {
      const { possible, outcomes } = evaluated(await lockDecisions(tx, state, ids))
      const claims = await claim(
        ctx,
        tx,
        possible.map(({ entry }) => entry),
        request,
      )
      const undone = possible.filter(({ entry }) => claims.claimed.has(entry.id))
      await recordUndos(ctx, tx, claims.claimed, await restore(ctx, tx, state, undone, request), request)
      return { undone, outcomes: new Map([...outcomes, ...claims.outcomes]) }
    })
    const [only] = undone
    if (only && entries.length === 1) await carryOut(ctx, only.target.id, state)
    return outcomes
  },
})
