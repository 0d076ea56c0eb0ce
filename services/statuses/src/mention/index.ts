/** The exports of this module for other modules. */

export { addLateMentions, storeUnreached } from './unreached.js'
export { endUnreachedOf } from './unreached.store.js'
