/** The part of the audit log that other modules may import. */
export { type NewEntry, record } from './record.js'
export type { AuditRow } from './rules.js'
export { auditById, deleteHidden, hiddenOf, type ListedRow } from './store.js'
export { auditEntryOf } from './view.js'
