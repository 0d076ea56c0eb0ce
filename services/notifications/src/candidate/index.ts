/** The exports of this module for other modules. */
export { sources } from './candidate.js'
export { clearAll, dismissGroupOf, dismissOne, dropHeld } from './undone.store.js'
