/** Canonical e-mail blocks for the published policy, and for suspensions. */
export {
  deleteCanonicalEmailBlockOf,
  everyCanonicalEmailBlock,
  insertCanonicalEmailBlock,
} from './store.js'
