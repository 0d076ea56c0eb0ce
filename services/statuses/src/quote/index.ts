/** Names of this module that other modules use. */
export { proveAgain, quotingOf, reconcileQuote, storeRemoteQuote, syncQuote, verdictOf } from './remote.js'
