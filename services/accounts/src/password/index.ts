/** Names of this module that other modules use. */
export { changePassword } from './change.js'
