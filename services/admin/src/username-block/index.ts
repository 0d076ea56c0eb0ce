/** Username blocks for the published policy and for undo. */
export {
  deleteUsernameBlockById,
  everyUsernameBlock,
  insertUsernameBlock,
  lockUsernameBlock,
  type UsernameBlockRow,
  updateUsernameBlock,
} from './store.js'
