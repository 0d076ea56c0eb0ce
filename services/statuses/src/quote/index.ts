/** The exports of this module for other modules. */
export { proveAgain, reconcileQuote, verdictOf } from './proof.js'
export { quotingOf, storeRemoteQuote, syncQuote } from './remote.js'
