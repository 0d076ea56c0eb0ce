/** Names of this module that other modules use. */
export { deleteCleanup } from './store.js'
