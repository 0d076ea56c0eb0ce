/** What other modules use of the audit log. */
export { type Deed, record } from './record.js'
