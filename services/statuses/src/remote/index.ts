/** The exports of this module for other modules. */

export { applyFetchResult } from './absence.js'
export { endAbsences, forgetAbsences } from './absence.store.js'
export { type Lookups, resolveStatus, storeNote } from './resolve.js'
