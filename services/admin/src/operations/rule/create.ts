/** Adds a rule after the others. */
import { ruleCreate } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { checkRule } from '../../domain/rule.js'
import { handle } from '../../doors.js'
import { insertRule } from '../../store/rule.js'
import { ruleOf } from '../../views/rule.js'

export const create = handle(ruleCreate, async (ctx, viewer, { text, hint, translations }) => {
  const rule = { text, hint, translations }
  checkRule(rule)
  return ctx.db.tx(async (tx) => {
    const stored = await insertRule(tx, { id: ctx.ids.next(), ...rule, at: ctx.clock.date() })
    if (!stored) throw fail('unknown', 'The rule was not stored')
    await record(ctx, tx, viewer, { action: 'create_rule', targetId: stored.id, target: text, after: stored })
    return ruleOf(stored)
  })
})
