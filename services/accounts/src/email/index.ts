/** Names of this module that other modules use. */
export { askForEmail, confirmAddress, joinAll } from './confirm.js'
export { addressProblems, newAddress, orTaken } from './new-address.js'
export { type EmailRow, emailsOfAccounts, holdEmailOfAccount, lockPendingLogins, setApproved } from './store.js'
