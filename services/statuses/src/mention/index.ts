/** Names of this module that other modules use. */

export { nameLate, seekUnreached } from './unreached.js'
export { endUnreachedOf } from './unreached.store.js'
