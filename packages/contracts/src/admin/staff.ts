/** Shared parts of staff operations: the prefix of our own API, audiences by permission, and pages of rows by id. */
import { z } from 'zod'
import { internal, operation, pageFields, pageOf, user } from '../kit/index.js'
import { limits } from '../limits.js'
import type { PermissionName } from '../permissions.js'
import { AuditAction, UndoObstacle } from './audit-action.js'

/** Prefix of staff operations that the upstream API does not have. */
export const STAFF_PREFIX = '/api/murmuration/v1/admin'

/** Staff with one of these permissions may read; `noun` names the narrower scope, if there is one. */
export const staffReads = (permission: PermissionName | readonly PermissionName[], noun?: string) =>
  user(noun ? `admin:read|admin:read:${noun}` : 'admin:read', { permission: [permission].flat().join('|') })

/** The same for writing. */
export const staffWrites = (permission: PermissionName | readonly PermissionName[], noun?: string) =>
  user(noun ? `admin:write|admin:write:${noun}` : 'admin:write', { permission: [permission].flat().join('|') })

/** Cursor fields of staff's lists: 100 rows unless asked otherwise, at most 200. */
export const staffPage = () => pageFields(limits.pages.admin.default, limits.pages.admin.max)

/** Data of an event about an action of staff, which admin adds to the audit log. */
export const StaffAct = z.object({
  /** Account id; null for operators. */
  by: z.string().nullable(),
  action: AuditAction,
  targetId: z.string().nullable(),
  target: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** The bulk action it is a part of. */
  batchId: z.string().optional(),
  reason: z.string().nullish(),
})
export type StaffAct = z.infer<typeof StaffAct>

/** `already`: the state is that from before the action. */
export const RestoreOutcome = z.union([z.enum(['restored', 'already']), UndoObstacle])
export type RestoreOutcome = z.infer<typeof RestoreOutcome>

/** The part of an entry of the audit log that its undo reads. */
export const RestoredEntry = z.object({
  action: AuditAction,
  targetId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})

/** An operation by which the audit log undoes actions in the service that owns the state. Safe to repeat. */
export const staffRestore = (name: string, about: string) =>
  operation(name, {
    viewer: internal(),
    class: 'write',
    repeatable: true,
    input: z.object({
      /** Account id of who undoes it, whose rank counts; null for operators. */
      by: z.string().nullable(),
      action: AuditAction,
      targetId: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
      /** Only says what would happen. */
      dry: z.boolean(),
    }),
    output: z.object({ outcome: RestoreOutcome }),
    about,
  })

/** A page of rows, newest first; the links repeat `limit` and these parameters. */
export const staffPageOf = <S extends z.ZodType>(item: S, ...keeps: string[]) => pageOf(item, 'C', ['limit', ...keeps])
