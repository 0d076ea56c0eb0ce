/** The exports of this module for other modules. */
export { cancelEmailChange, confirmAddress, joinAll, requestEmail } from './confirm.js'
export { addressProblems, newAddress, orTaken } from './new-address.js'
export { type EmailRow, emailsOfAccounts, lockEmailOfAccount, lockPendingLogins, setApproved } from './store.js'
