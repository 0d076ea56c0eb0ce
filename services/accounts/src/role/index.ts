/** Roles for the other modules of accounts. */
export { hasOwner, holderDemandsFactor, type RoleRow, roleById, roleByName } from './store.js'
