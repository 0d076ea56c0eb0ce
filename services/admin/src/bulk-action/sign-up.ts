/** Bulk approval and rejection of pending sign-ups. */
import { type AdminRecord, MAX_MODERATED } from '@murmuration/contracts/accounts'
import { approveAccountByStaff, type BulkSkip } from '@murmuration/contracts/admin'
import { checkDecision, decideSignUps } from '../account/index.js'
import { moderatedAccounts } from '../core/admin-account.js'
import { acctOf } from './account.js'
import type { BulkKind } from './kind.js'
import { changingOf, type Evaluation, evaluateRecords, type Order, refusedBy } from './rules.js'

const decisionOf = ({ action }: Order) => (action === 'approve' ? 'approve' : 'reject')

const skipOf = (order: Order, target: AdminRecord): BulkSkip | null => {
  if (target.account.approved !== false) return 'not_pending'
  return refusedBy(() => checkDecision(order.by, decisionOf(order), target))
}

const evaluate = (order: Order, ids: readonly string[], records: ReadonlyMap<string, AdminRecord>): Evaluation =>
  evaluateRecords(ids, records, { nameOf: acctOf, skipOf: (target) => skipOf(order, target) })

export const signUps: BulkKind = {
  needs: approveAccountByStaff,
  chunk: MAX_MODERATED,
  evaluate: async (ctx, order, ids) => evaluate(order, ids, await moderatedAccounts(ctx, ids)),
  async prepare(ctx, order, items) {
    const ids = items.map(({ id }) => id)
    const records = await moderatedAccounts(ctx, ids)
    return async (tx) => {
      const evaluated = evaluate(order, ids, records)
      const targets = changingOf(evaluated).flatMap((id) => records.get(id) ?? [])
      if (targets.length === 0) return evaluated
      const decision = { decision: decisionOf(order), reason: order.reason, batchId: order.id } as const
      const decided = await decideSignUps(ctx, tx, order.by, targets, decision)
      const others = targets.filter(({ id }) => !decided.has(id))
      return new Map([
        ...evaluated,
        ...others.map((one) => [one.id, { target: acctOf(one), skip: 'already' }] as const),
      ])
    }
  },
}
