/** Rows of tasks. One task per kind runs at a time. A worker advances a task only if its position is unchanged. */
import type { Database, Reader, Tx } from './database.js'
import { type Cursor, keyset, newestFirst } from './keyset.js'
import { sql } from './sql.js'

export interface TaskRow {
  id: string
  kind: string
  input: unknown
  dry_run: boolean
  state: 'running' | 'done' | 'failed' | 'stopped'
  position: string
  seen: number
  changed: number
  bytes: number
  total: number | null
  notes: Record<string, number>
  error: string | null
  started_by: string | null
  next_at: Date
  created_at: Date
  finished_at: Date | null
}

const columns = sql`id, kind, input, dry_run, state, position, seen::float8 as seen, changed::float8 as changed,
  bytes::float8 as bytes, total::float8 as total, notes, error, started_by, next_at, created_at, finished_at`

/** Inserts a task; null when a task of this kind is running. */
export const insertTask = (
  tx: Tx,
  row: Pick<TaskRow, 'id' | 'kind' | 'input' | 'dry_run' | 'started_by'> & { at: Date; next_at: Date },
): Promise<TaskRow | null> =>
  tx.row(sql`insert into tasks (id, kind, input, dry_run, started_by, next_at, created_at, updated_at)
    values (${row.id}, ${row.kind}, ${JSON.stringify(row.input)}, ${row.dry_run}, ${row.started_by}, ${row.next_at},
      ${row.at}, ${row.at})
    on conflict (kind) where state = 'running' do nothing returning ${columns}`)

/** The task with this id; null if there is none. */
export const taskById = (db: Reader, id: string): Promise<TaskRow | null> =>
  db.row(sql`select ${columns} from tasks where id = ${id}`)

/** The running task of a kind; null if none runs. */
export const runningTask = (db: Reader, kind: string): Promise<TaskRow | null> =>
  db.row(sql`select ${columns} from tasks where kind = ${kind} and state = 'running'`)

/** One page of tasks, newest first. */
export const taskPage = async (db: Reader, page: Cursor): Promise<TaskRow[]> =>
  newestFirst(await db.rows<TaskRow>(sql`select ${columns} from tasks where true ${keyset(sql`id`, page)}`), page)

/** Locks a running task at this position until the transaction ends. Returns false when another worker has moved the position. */
export const lockTask = async (tx: Tx, id: string, position: string): Promise<boolean> =>
  (await tx.row(
    sql`select 1 from tasks where id = ${id} and position = ${position} and state = 'running' for update`,
  )) !== null

export interface Advance {
  /** Position of the next chunk of the task; null at the end. */
  next: string | null
  seen: number
  changed: number
  bytes: number
  notes: Readonly<Record<string, number>>
  at: Date
  next_at: Date
}

/** Adds the counts of a chunk to the task, and moves its position. */
export const advanceTask = async (tx: Tx, id: string, it: Advance): Promise<void> => {
  const done = it.next === null
  await tx.run(sql`update tasks set position = coalesce(${it.next}::text, position), seen = seen + ${it.seen},
      changed = changed + ${it.changed}, bytes = bytes + ${it.bytes}, error = null, runs = 0, updated_at = ${it.at},
      next_at = ${it.next_at}, state = ${done ? 'done' : 'running'}, finished_at = ${done ? it.at : null},
      notes = (select coalesce(jsonb_object_agg(key, n), '{}') from (
        select key, sum(value::bigint) as n from (
          select key, value from jsonb_each_text(notes)
          union all select key, value from jsonb_each_text(${JSON.stringify(it.notes)}::jsonb)) both_sides
        group by key) summed)
    where id = ${id}`)
}

/**
 * Counts another run of the chunk at this position, and returns the number of runs. Returns null when the task has
 * ended, or another worker has moved its position.
 */
export const countTaskRun = async (db: Reader, id: string, position: string): Promise<number | null> =>
  (
    await db.row<{ runs: number }>(sql`update tasks set runs = runs + 1
      where id = ${id} and position = ${position} and state = 'running' returning runs`)
  )?.runs ?? null

/** Stores the expected number of items of a task, once. A total of 0 is not stored. */
export const setTaskTotal = async (db: Reader, id: string, total: number): Promise<void> => {
  await db.run(sql`update tasks set total = nullif(${total}::bigint, 0) where id = ${id} and total is null`)
}

/** Stores the reason why a chunk failed. With `isLast`, the task ends as failed. */
export const noteTaskFailure = async (
  db: Reader,
  id: string,
  it: { error: string; isLast: boolean; at: Date },
): Promise<void> => {
  await db.run(sql`update tasks set error = ${it.error}, updated_at = ${it.at},
      state = case when ${it.isLast} then 'failed' else state end,
      finished_at = case when ${it.isLast} then ${it.at}::timestamptz else finished_at end
    where id = ${id} and state = 'running'`)
}

/** Stops a running task and returns it; null when it is not running. */
export const stopTask = (tx: Tx, id: string, at: Date): Promise<TaskRow | null> =>
  tx.row(sql`update tasks set state = 'stopped', finished_at = ${at}, updated_at = ${at}
    where id = ${id} and state = 'running' returning ${columns}`)

/** True when the next chunk of a running task is due. */
export const isTaskDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from tasks where state = 'running' and next_at <= ${now}`)

/**
 * Running tasks whose next chunk is due, after a pause or because their worker ended. Sets their next due time to
 * `next_at`, so that other processes do not return them as well.
 */
export const takeDueTasks = (db: Reader, now: Date, next_at: Date): Promise<{ id: string; position: string }[]> =>
  db.rows(sql`update tasks set next_at = ${next_at} where id in (
      select id from tasks where state = 'running' and next_at <= ${now} for update skip locked)
    returning id, position`)
