/** The exports of this module for other modules. */
export { sources } from './candidate.js'
export { clearAll, deleteFiltered, dismissGroupOf, dismissOne } from './undone.store.js'
