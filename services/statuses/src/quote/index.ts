/** Names of this module that other modules use. */
export { proveAgain, quotingOf, settleQuote, storeRemoteQuote, syncQuote, verdictOf } from './remote.js'
