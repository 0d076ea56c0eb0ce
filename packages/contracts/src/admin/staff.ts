/** Shared parts of staff operations: path prefix, access by permission, and pages of rows by id. */
import { z } from 'zod'
import { anyOf, internal, operation, pageFields, pageOf, user } from '../kit/index.js'
import { limits } from '../limits.js'
import type { PermissionName } from '../permissions.js'
import { AuditAction, UndoObstacle } from './audit-action.js'

/** Path prefix of staff operations that Mastodon's API does not have. */
export const STAFF_PREFIX = '/api/murmuration/v1/admin'

/** Access to read for staff with one of these permissions. `noun` names the narrower OAuth scope, if there is one. */
export const staffReads = (permission: PermissionName | readonly PermissionName[], noun?: string) =>
  user(noun ? `admin:read|admin:read:${noun}` : 'admin:read', { permission: [permission].flat().join('|') })

/** Access to write for staff with one of these permissions, like `staffReads` for reading. */
export const staffWrites = (permission: PermissionName | readonly PermissionName[], noun?: string) =>
  user(noun ? `admin:write|admin:write:${noun}` : 'admin:write', { permission: [permission].flat().join('|') })

/** Paging fields of staff lists: 100 rows by default, at most 200. */
export const staffPage = () => pageFields(limits.pages.admin.default, limits.pages.admin.max)

/** Data of an event about an action of staff. The admin service adds the action to the audit log. */
export const StaffAct = z.object({
  /** Account id of the staff member who acted; null for operators. */
  by: z.string().nullable(),
  action: anyOf(AuditAction),
  targetId: z.string().nullable(),
  target: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Id of the bulk action that the audit log entry belongs to. */
  batchId: z.string().optional(),
  reason: z.string().nullish(),
})
export type StaffAct = z.infer<typeof StaffAct>

/** Outcome of an undo. `already`: the state from before the action exists already. */
export const RestoreOutcome = z.union([z.enum(['restored', 'already']), UndoObstacle])
export type RestoreOutcome = z.infer<typeof RestoreOutcome>

/** Members of an audit log entry that its undo reads. */
export const RestoredEntry = z.object({
  action: AuditAction,
  targetId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

/** Operation with which the audit log undoes actions in the service that owns the state. The operation is safe to repeat. */
export const staffRestore = (name: string, about: string) =>
  operation(name, {
    viewer: internal(),
    class: 'write',
    repeatable: true,
    input: z.object({
      /** Account id of the staff member who undoes the action, and whose rank is checked; null for operators. */
      by: z.string().nullable(),
      action: AuditAction,
      targetId: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
      /** True: only reports the outcome, and changes nothing. */
      dry: z.boolean(),
    }),
    output: z.object({ outcome: RestoreOutcome }),
    about,
  })

/** A page of rows, newest first. The links to other pages repeat `limit` and the parameters in `keeps`. */
export const staffPageOf = <S extends z.ZodType>(item: S, ...keeps: string[]) =>
  pageOf(item, 'list', ['limit', ...keeps])
