/** The exports of this module for other modules. */
export { proveAgain, quotingOf, reconcileQuote, storeRemoteQuote, syncQuote, verdictOf } from './remote.js'
