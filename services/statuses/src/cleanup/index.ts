/** The exports of this module for other modules. */
export { deleteCleanup } from './store.js'
