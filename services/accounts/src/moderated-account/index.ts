/** The exports of this module for other modules. */
export { adminRecords } from './record.js'
