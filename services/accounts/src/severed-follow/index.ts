/** The part of ended follows that other code of accounts may import. */
export { causeOf } from './restore.js'
export { unmarkRestored } from './store.js'
