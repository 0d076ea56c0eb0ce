/** Entries of the audit log as staff and operators see them. */
import type { AuditEntry } from '@murmuration/contracts/admin'
import type { AuditRow } from './rules.js'

export const auditEntryOf = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.created_at.toISOString(),
  actor: row.actor_id,
  action: row.action,
  target_id: row.target_id,
  target: row.target,
  before: row.before,
  after: row.after,
})
