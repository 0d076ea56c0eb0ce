/** Entries of the audit log as staff and operators see them. */
import type { AuditEntry } from '@murmuration/contracts/admin'
import type { ListedRow } from './store.js'

export const auditEntryOf = (row: ListedRow): AuditEntry => ({
  id: row.id,
  at: row.created_at.toISOString(),
  actor: row.actor_id,
  action: row.action,
  target_id: row.target_id,
  target: row.target,
  before: row.before,
  after: row.after,
  reason: row.reason,
  batch_id: row.batch_id,
  undoes: row.undoes,
  undone_by: row.undone_by,
})
