/** The exports of this module for other modules. */
export { leaveCollections } from './members.js'
