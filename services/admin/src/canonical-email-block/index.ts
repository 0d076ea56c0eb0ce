/** Canonical e-mail blocks for the published policy, for suspensions and for undo. */
export {
  type CanonicalEmailBlockRow,
  deleteCanonicalEmailBlockById,
  deleteCanonicalEmailBlocksOf,
  everyCanonicalEmailBlock,
  insertCanonicalEmailBlock,
  insertCanonicalEmailBlocks,
  insertEmailHolders,
  lockCanonicalEmailBlock,
} from './store.js'
