/** Names of this module that other modules use. */
export { authorizeRole } from './change.js'
