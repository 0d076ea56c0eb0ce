/** The part of the audit log that other modules may import. */
export { type NewEntry, record } from './record.js'
export type { AuditRow } from './rules.js'
export {
  auditById,
  auditsByIds,
  batchIds,
  batchStart,
  deleteHidden,
  hiddenOf,
  type ListedRow,
  undoneIn,
} from './store.js'
export { auditEntryOf } from './view.js'
