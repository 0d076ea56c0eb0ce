/** Names of this module that other modules use. */
export { sources } from './news.js'
export { clearAll, dismissGroupOf, dismissOne, dropHeld } from './undone.store.js'
