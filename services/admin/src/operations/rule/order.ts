/** Puts the rules into another order. */
import { ruleOrder } from '@murmuration/contracts/admin'
import { invalidField } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { handle } from '../../doors.js'
import { lockRules, orderRules, type RuleRow } from '../../store/rule.js'
import { ruleOf } from '../../views/rule.js'

export const order = handle(ruleOrder, (ctx, viewer, { ids }) =>
  ctx.db.tx(async (tx) => {
    const before = await lockRules(tx)
    const known = new Map(before.map((row) => [row.id, row]))
    if (ids.length !== known.size || !ids.every((id) => known.has(id)))
      throw invalidField('Ids must name every rule once')
    await orderRules(tx, ids)
    await record(ctx, tx, viewer, {
      action: 'order_rules',
      targetId: null,
      target: 'rules',
      before: before.map(({ id }) => id),
      after: ids,
    })
    return ids.map((id) => ruleOf(known.get(id) as RuleRow))
  }),
)
