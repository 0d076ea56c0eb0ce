/** Removes a rule. */
import { ruleRemove } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { handle } from '../../doors.js'
import { lockRule, removeRule } from '../../store/rule.js'

export const remove = handle(ruleRemove, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const before = await lockRule(tx, id)
    if (!before) throw notFound()
    await removeRule(tx, id, ctx.clock.date())
    await record(ctx, tx, viewer, { action: 'destroy_rule', targetId: id, target: before.text, before })
    return {}
  }),
)
