/** The exports of this module for other modules. */
export { NEW_BELOW_BEHIND } from './budget.js'
export { createReader, type Reader } from './reader.js'
