/** The exports of this module for other modules. */

export { createReader, type Reader } from './reader.js'
export { NEW_BELOW_BEHIND } from './request-limits.js'
