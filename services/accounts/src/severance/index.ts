/** The exports of this module for other modules. */
export { recordSevered } from './record.js'
export { causeOf } from './restore.js'
export { unmarkRestored } from './restore.store.js'
