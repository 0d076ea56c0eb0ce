/** Names of this module that other modules use. */
export { leaveCollections } from './members.js'
