/** Exports shared by the kinds of access rules. */
export { addAccessRule, changeAccessRule, checkSpace, type Kind, removeAccessRule } from './change.js'
export { addressOf, MAX_ACCESS_RULES, nameOf, providerOf, rangeOf } from './rules.js'
export { countAccessRules } from './store.js'
