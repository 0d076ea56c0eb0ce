/** The record of what staff and operators did. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** Account id; null for operators. */
  actor: z.string().nullable(),
  /** `<action>_<target>`, such as `create_domain_block`. */
  action: z.string(),
  target_id: z.string().nullable(),
  /** The target in words: a domain, a handle, a name. */
  target: z.string(),
  /** What it was before and is now, where that says more than the action. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const auditLogList = operation('admin.audit-log.list', {
  viewer: internal(),
  input: z.object({ limit: z.int().min(1).max(200).default(100), max_id: z.string().optional() }),
  output: z.object({ entries: z.array(AuditEntry) }),
  about: 'What staff did, newest first.',
})
