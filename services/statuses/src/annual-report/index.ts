/** Names of this module that other modules use. */
export { eraseReportsOf } from './store.js'
