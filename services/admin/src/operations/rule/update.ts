/** Changes a rule. */
import { ruleUpdate } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { checkRule } from '../../domain/rule.js'
import { handle } from '../../doors.js'
import { lockRule, updateRule } from '../../store/rule.js'
import { ruleOf } from '../../views/rule.js'

export const update = handle(ruleUpdate, (ctx, viewer, input) =>
  ctx.db.tx(async (tx) => {
    const before = await lockRule(tx, input.id)
    if (!before) throw notFound()
    const {
      text = before.text,
      hint = before.hint,
      translations = before.translations,
      priority = before.priority,
    } = input
    const after = { ...before, text, hint, translations, priority }
    checkRule(after)
    await updateRule(tx, after)
    await record(ctx, tx, viewer, { action: 'update_rule', targetId: input.id, target: text, before, after })
    return ruleOf(after)
  }),
)
