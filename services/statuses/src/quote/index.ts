/** The exports of this module for other modules. */
export { checkApproval, proveAgain, reconcileQuote } from './proof.js'
export { quotingOf, storeRemoteQuote, syncQuote } from './remote.js'
