/** The exports of this module for other modules. */

export { applyFetchResult } from './absence.js'
export { deleteAbsences, endAbsences } from './absence.store.js'
export { adoptByAddress, pageOf } from './parent.js'
export { fetchOnce, IMPORT_TRIES, type Lookups, reachStatus, resolveStatus, storeNote } from './resolve.js'
