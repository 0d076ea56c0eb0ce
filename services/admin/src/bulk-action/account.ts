/** Bulk actions on states of accounts. */
import { type AdminRecord, MAX_MODERATED } from '@murmuration/contracts/accounts'
import { actOnAccount } from '@murmuration/contracts/admin'
import { readTime } from '@murmuration/text'
import { type DecisionRow, decideAll, decisionsOf, lockDecisions } from '../account-decision/index.js'
import { withDecision } from '../core/account-state.rules.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { resolveReportsOf } from '../report/index.js'
import { addStrikes } from '../strike/index.js'
import type { BulkKind } from './kind.js'
import { changingOf, type Evaluation, evaluateRecords, type Order, STATE_OF, stateSkip } from './rules.js'

export const acctOf = ({ account }: AdminRecord): string => account.account.acct

const changeOf = ({ action }: Order) => {
  const change = STATE_OF[action]
  if (!change) throw new Error(`${action} sets no state`)
  return change
}

interface Found {
  records: ReadonlyMap<string, AdminRecord>
  decisions: ReadonlyMap<string, DecisionRow>
  now: number
}

const evaluate = (order: Order, ids: readonly string[], { records, decisions, now }: Found): Evaluation => {
  const change = changeOf(order)
  return evaluateRecords(ids, records, {
    nameOf: acctOf,
    skipOf: (read) => {
      const last = decisions.get(read.id) ?? null
      return stateSkip(order.by, change, withDecision(read, change.state, last, now), last)
    },
  })
}

export const accountStates: BulkKind = {
  needs: actOnAccount,
  chunk: MAX_MODERATED,
  async evaluate(ctx, order, ids) {
    const decisions = await decisionsOf(ctx.db, changeOf(order).state, ids)
    return evaluate(order, ids, { records: await moderatedAccounts(ctx, ids), decisions, now: ctx.clock.now() })
  },
  async prepare(ctx, order, items) {
    const ids = items.map(({ id }) => id)
    const records = await moderatedAccounts(ctx, ids)
    return async (tx) => {
      const { state, wanted } = changeOf(order)
      const decisions = await lockDecisions(tx, state, ids)
      const evaluated = evaluate(order, ids, { records, decisions, now: ctx.clock.now() })
      const targets = changingOf(evaluated).flatMap((id) => records.get(id) ?? [])
      const { by, reason, notify, id: batchId } = order
      const decision = { state, wanted, reason: reason ?? undefined, batchId }
      const stamp = await decideAll(ctx, tx, by, targets, decision)
      if (by === null || !wanted || targets.length === 0) return evaluated
      const at = new Date(readTime(stamp))
      const strike = { action: state, text: reason ?? '', report: null, statusIds: [], stamp, notify, at }
      await addStrikes(ctx, tx, by, targets, strike)
      await resolveReportsOf(ctx, tx, by, { targets: targets.map(({ id }) => id), only: null, at })
      return evaluated
    }
  },
}
