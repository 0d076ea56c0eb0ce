/** The exports of this module for other modules. */

export { createReader, type Reader } from './reader.js'
export { NEW_BELOW_BACKGROUND } from './request-limits.js'
