/** Names of this module that other modules use. */
export { recordSevered } from './record.js'
export { causeOf } from './restore.js'
export { unmarkRestored } from './restore.store.js'
