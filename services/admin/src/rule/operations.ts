/** Handlers of the rules of this server. */
import {
  createRule,
  listRules,
  orderRules as orderRulesOperation,
  removeRule as removeRuleOperation,
  updateRule as updateRuleOperation,
} from '@murmuration/contracts/admin'
import { errorText, fail, fieldProblem, invalidField, notFound } from '@murmuration/contracts/kit'
import { record } from '../core/audit-log/record.js'
import { handle } from '../handlers.js'
import { checkRule } from './rules.js'
import {
  insertRule,
  lockRule,
  lockRules,
  orderRules,
  type RuleRow,
  removeRule,
  rulesInForce,
  updateRule,
} from './store.js'
import { ruleOf } from './view.js'

/** Lists the current server rules. */
export const list = handle(listRules, async (ctx) => (await rulesInForce(ctx.db)).map(ruleOf))

/** Adds a server rule after the existing rules. */
export const create = handle(createRule, async (ctx, viewer, { text, hint, translations }) => {
  const rule = { text, hint, translations }
  checkRule(rule)
  return ctx.db.tx(async (tx) => {
    const stored = await insertRule(tx, { id: ctx.ids.next(), ...rule, at: ctx.clock.date() })
    if (!stored) throw fail('unknown', 'The rule was not stored')
    await record(ctx, tx, viewer, { action: 'create_rule', targetId: stored.id, target: text, after: stored })
    return ruleOf(stored)
  })
})

/** Changes the texts of a server rule. */
export const update = handle(updateRuleOperation, (ctx, viewer, input) =>
  ctx.db.tx(async (tx) => {
    const before = await lockRule(tx, input.id)
    if (!before) throw notFound()
    const {
      text = before.text,
      hint = before.hint,
      translations = before.translations,
      priority = before.priority,
    } = input
    if (translations === null) throw invalidField(fieldProblem('translations', errorText('is invalid')))
    const after = { ...before, text, hint, translations, priority }
    // A process of the release before may have stored the priority -1. Therefore the stored priority is not checked, so
    // that other members of such a rule can be changed.
    checkRule({ ...after, priority: input.priority ?? 0 })
    await updateRule(tx, after)
    await record(ctx, tx, viewer, { action: 'update_rule', targetId: input.id, target: text, before, after })
    return ruleOf(after)
  }),
)

/** Changes the order of the server rules. */
export const order = handle(orderRulesOperation, (ctx, viewer, { ids }) =>
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

/** Removes a server rule. */
export const remove = handle(removeRuleOperation, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const before = await lockRule(tx, id)
    if (!before) throw notFound()
    await removeRule(tx, id, ctx.clock.date())
    await record(ctx, tx, viewer, { action: 'destroy_rule', targetId: id, target: before.text, before })
    return {}
  }),
)
