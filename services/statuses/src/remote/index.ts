/** Names of this module that other modules use. */

export { heedAnswer } from './absence.js'
export { endAbsences, forgetAbsences } from './absence.store.js'
export { keepNote, type Lookups, resolveStatus } from './resolve.js'
