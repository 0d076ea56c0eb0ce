/** The exports of this module for other modules. */

export { applyFetchResult } from './absence.js'
export { deleteAbsences, endAbsences } from './absence.store.js'
export { nextRun, requireDue } from './import-run.js'
export { adoptByAddress, pageOf } from './parent.js'
export { fetchOnce, type Lookups, reachStatus, resolveStatus, storeNote } from './resolve.js'
