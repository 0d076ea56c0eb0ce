/** The part of the audit log that other modules may import. */
export { type Deed, record } from './record.js'
