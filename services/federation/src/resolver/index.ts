/** Names of this module that other modules use. */
export { createReader, type Reader } from './reader.js'
