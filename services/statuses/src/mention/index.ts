/** The exports of this module for other modules. */

export { nameLate, seekUnreached } from './unreached.js'
export { endUnreachedOf } from './unreached.store.js'
