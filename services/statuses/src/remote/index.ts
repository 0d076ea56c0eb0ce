/** Names of this module that other modules use. */

export { applyFetchResult } from './absence.js'
export { endAbsences, forgetAbsences } from './absence.store.js'
export { type Lookups, resolveStatus, storeNote } from './resolve.js'
