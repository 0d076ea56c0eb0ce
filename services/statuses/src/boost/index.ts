/** Names of this module that other modules use. */
export { reblog } from './reblog.js'
