/** Names of this module that other modules use. */
export { changeUser } from './change.js'
