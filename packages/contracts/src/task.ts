/**
 * Declares the operations, events and the job of tasks, which are long work of staff and operators with its progress.
 */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffPage, staffPageOf, staffReads, staffWrites } from './admin/staff.js'
import { event, get, id, job, operation, post } from './kit/index.js'

export const Task = z
  .strictObject({
    id: z.string(),
    /** Name of the work, such as `prune-accounts`. */
    kind: z.string(),
    /** True when the task only counts what it would change. */
    dry_run: z.boolean(),
    state: z.enum(['running', 'done', 'failed', 'stopped']),
    /** Number of rows or files that the task looked at. */
    seen: z.int(),
    /** Number of rows or files that the task changed or removed, or would change in a dry run. */
    changed: z.int(),
    /** Number of bytes that the task freed, or would free in a dry run. */
    bytes: z.int(),
    /** Expected value of `seen` at the end of the task; null if unknown. */
    total: z.int().nullable(),
    /** Further counts of the task by name, such as the number of servers that did not respond. */
    notes: z.record(z.string(), z.int()),
    /** Reason of the task's last failure. */
    error: z.string().nullable(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'Task', description: 'Long work that staff or an operator started, with its progress.' })
export type Task = z.infer<typeof Task>

/** Contracts of the operations with which staff reads and stops the tasks of one service. */
export const tasksOf = <S extends string>(service: S) => ({
  list: operation(`${service}.task.list`, {
    http: get(`${STAFF_PREFIX}/tasks/${service}`),
    viewer: staffReads('view_dashboard'),
    class: 'admin',
    input: z.object({ ...staffPage() }),
    output: staffPageOf(Task),
    about: `Tasks of ${service}, newest first; finished ones for 90 days.`,
  }),
  show: operation(`${service}.task.show`, {
    http: get(`${STAFF_PREFIX}/tasks/${service}/:id`),
    viewer: staffReads('view_dashboard'),
    class: 'admin',
    input: z.object({ id: id() }),
    output: Task,
    errors: ['not_found'],
    about: `The progress of one task of ${service}.`,
  }),
  stop: operation(`${service}.task.stop`, {
    http: post(`${STAFF_PREFIX}/tasks/${service}/:id/stop`),
    viewer: staffWrites('view_dashboard'),
    class: 'admin',
    input: z.object({ id: id() }),
    output: Task,
    errors: ['not_found', 'forbidden'],
    about: `Stops a task of ${service} after its current chunk, if the role may start such tasks. What it did stays.`,
  }),
  run: job(`${service}.task`, {
    data: z.object({ id: z.string() }),
    about: 'Runs chunks of a task, and queues itself again while some are left.',
    retry: { delays: [5, 30, 120, 600], times: 6 },
    timeoutMs: 120_000,
    concurrency: 2,
  }),
  started: event(`${service}.task.started`, {
    data: StaffAct,
    about: 'Staff or an operator started a task that changes something.',
  }),
  stopped: event(`${service}.task.stopped`, {
    data: StaffAct,
    about: 'Staff or an operator stopped a task that changes something.',
  }),
})
