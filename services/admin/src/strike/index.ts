/** Strikes for actions on accounts and for appeals. */
export { addStrike, type NewAction, resolveReportsOf } from './add.js'
export { appealDeadline } from './rules.js'
export { showStrike, showStrikes, showWarning } from './show.js'
export { appealPage, lockStrike, overruleStrike, type StrikeRow, strikeOfAppeal } from './store.js'
