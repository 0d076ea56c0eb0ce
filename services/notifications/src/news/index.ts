/** The exports of this module for other modules. */
export { sources } from './news.js'
export { clearAll, dismissGroupOf, dismissOne, dropHeld } from './undone.store.js'
