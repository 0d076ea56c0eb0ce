/** Canonical e-mail blocks for the published policy, and for suspensions. */
export {
  deleteCanonicalEmailBlocksOf,
  everyCanonicalEmailBlock,
  insertCanonicalEmailBlocks,
} from './store.js'
