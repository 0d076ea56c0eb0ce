/** Names of this module that other modules use. */
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
