/** Names of this module that other modules use. */
export { adminRecords } from './record.js'
