/** Strikes for actions on accounts and for appeals. */
export { addStrikes } from './add.js'
export { appealDeadline } from './rules.js'
export { showStrikes, showWarning } from './show.js'
export {
  appealPage,
  lockStrike,
  overruleStrike,
  type StrikeRow,
  strikeById,
  strikeOfAppeal,
  updateOverruled,
} from './store.js'
