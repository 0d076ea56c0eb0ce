/** Operations about the audit log of staff and operators. */
import { z } from 'zod'
import { get, id, internal, limit, operation, optionalId, post, textOrNone } from '../kit/index.js'
import { UndoObstacle } from './audit-action.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** Account id of the staff member who acted; null for operators. */
  actor: z.string().nullable(),
  /** Name of the action: `<action>_<target>`, such as `create_domain_block`. */
  action: z.string(),
  target_id: z.string().nullable(),
  /** Text that identifies the target: a domain, a handle or a name. */
  target: z.string(),
  /** State before the action, if the action itself does not show it; the next member is the state after the action. */
  before: z.unknown(),
  after: z.unknown(),
  /** Reason for the action that staff entered; null without one. */
  reason: z.string().nullable(),
  /** Id of the bulk action that this entry belongs to. */
  batch_id: z.string().nullable(),
  /** Id of the entry that this entry undoes. */
  undoes: z.string().nullable(),
  /** Id of the entry that undid this one. */
  undone_by: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditEntryDetail = AuditEntry.extend({
  /** True if the viewer may undo the entry now. */
  reversible: z.boolean(),
  /** Reason why the action cannot be undone; null when it can. */
  obstacle: z.object({ code: UndoObstacle, text: z.string() }).nullable(),
})
export type AuditEntryDetail = z.infer<typeof AuditEntryDetail>

export const listAuditLog = operation('admin.audit-log.list', {
  viewer: internal(),
  input: z.object({ limit: z.int().min(1).max(200).default(100), max_id: z.string().optional() }),
  output: z.object({ entries: z.array(AuditEntry) }),
  about: 'Actions of staff and operators, newest first.',
})

export const browseAuditLog = operation('admin.audit-log.browse', {
  http: get(`${STAFF_PREFIX}/audit_log`),
  viewer: staffReads('view_audit_log'),
  class: 'admin',
  input: z.object({
    /** Account id of the staff member. */
    actor_id: optionalId(),
    /** Only entries with this action: `<action>_<target>`. */
    action: textOrNone(100).optional(),
    target_id: textOrNone(100).optional(),
    /** Only entries of the bulk action with this id. */
    batch_id: optionalId(),
    ...staffPage(),
  }),
  output: staffPageOf(AuditEntry, 'actor_id', 'action', 'target_id', 'batch_id'),
  about: 'Actions of staff and operators that match all of the filters, newest first.',
})

export const showAuditLogEntry = operation('admin.audit-log.show', {
  http: get(`${STAFF_PREFIX}/audit_log/:id`),
  viewer: staffReads('view_audit_log'),
  class: 'admin',
  input: z.object({ id: id() }),
  output: AuditEntryDetail,
  errors: ['not_found'],
  about: 'One action of staff, with whether the viewer can undo it.',
})

export const undoAuditLogEntry = operation('admin.audit-log.undo', {
  http: post(`${STAFF_PREFIX}/audit_log/:id/undo`),
  viewer: staffWrites('view_audit_log'),
  class: 'admin',
  input: z.object({ id: id(), reason: textOrNone(2_000).optional() }),
  output: AuditEntry,
  errors: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
  about:
    'Restores the state before an action, and returns the new entry. Reports that a restriction of an account resolved are open again. Needs the permission and the rank that the action itself needs.',
})

const Seq = z.string().regex(/^\d{1,18}$/)
const ChainEnd = z.object({
  seq: Seq,
  /** SHA-256 hash of the last entry in hexadecimal; empty before the first entry. */
  hash: z.string().regex(/^(?:[0-9a-f]{64})?$/),
})

export const verifyAuditLog = operation('admin.audit-log.verify', {
  http: get(`${STAFF_PREFIX}/audit_log/verify`),
  viewer: staffReads('view_audit_log'),
  class: 'admin',
  input: z.object({
    after: ChainEnd.default({ seq: '0', hash: '' }),
    limit: limit(1_000, 1_000),
  }),
  output: z.object({
    /** The last entry up to which the hash chain is intact. */
    end: ChainEnd,
    /** True if later entries exist that were not verified. */
    more: z.boolean(),
    /**
     * `missing`: this entry was removed. `changed`: its content differs from the hashed content. `cut`: the last
     * entries were removed. `added`: this entry was added without a hash.
     */
    problem: z
      .object({ seq: z.string(), id: z.string().nullable(), reason: z.enum(['missing', 'changed', 'cut', 'added']) })
      .nullable(),
  }),
  about: 'Verifies a part of the hash chain of the audit log.',
})

export const exportAuditLog = operation('admin.audit-log.export', {
  http: get(`${STAFF_PREFIX}/audit_log/export`),
  viewer: staffReads('view_audit_log'),
  class: 'admin',
  input: z.object({ after: Seq.default('0'), limit: limit(200, 1_000) }),
  output: z.object({
    /** `entry` is the hashed JSON text. Each hash is SHA-256 of the previous hash (as bytes) followed by this text. */
    entries: z.array(z.object({ seq: z.string(), hash: z.string(), entry: z.string() })),
    next: z.string().nullable(),
  }),
  about: 'The audit log in the order of its chain, oldest first, with its hashes.',
})
