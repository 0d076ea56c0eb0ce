/** The exports of this module for other modules. */
export { sources } from './candidate.js'
export { clearAll } from './undo.js'
export { deleteFiltered, dismissGroupOf, dismissOne } from './undone.store.js'
