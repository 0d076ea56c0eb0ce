/** Roles for the other modules of accounts. */
export { authorizeRole } from './change.js'
export { hasOwner, holderDemandsFactor, type RoleRow, roleById, roleByName } from './store.js'
