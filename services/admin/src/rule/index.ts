/** The exports of this module for other modules. */
export {
  countInForce,
  lockRule,
  lockRules,
  orderRules,
  type RuleRow,
  removeRule,
  restoreRule,
  rulesByIds,
  rulesInForce,
  updateRule,
} from './store.js'
export { ruleOf } from './view.js'
