/** Runs tasks in chunks. Each chunk and its progress commit in one transaction, so a lost worker costs one chunk at most. */
import {
  errorText,
  fail,
  invalidField,
  notFound,
  pageReply,
  type Reply,
  toJson,
  type Viewer,
} from '@murmuration/contracts/kit'
import { permits } from '@murmuration/contracts/permissions'
import type { Task, tasksOf } from '@murmuration/contracts/task'
import {
  advanceTask,
  type Cursor,
  countTaskRun,
  endsOf,
  insertTask,
  isTaskDue,
  lockTask,
  noteTaskFailure,
  runningTask,
  setTaskTotal,
  stopTask,
  type TaskRow,
  type Tx,
  takeDueTasks,
  taskById,
  taskPage,
} from '@murmuration/db'
import type { BaseContext } from './context.js'
import type { JobMeta } from './handlers.js'
import type { TaskKind } from './task-kind.js'

export type TaskContracts = ReturnType<typeof tasksOf>
type TaskContext = Pick<BaseContext, 'announce' | 'clock' | 'db' | 'ids' | 'log' | 'queue' | 'queues'>

/** Milliseconds after which a job queues the next chunk as a new job, so that other tasks can run in between. */
const JOB_MS = 20_000
/** Milliseconds without progress after which another worker continues the task. */
const LOST_MS = 300_000
/**
 * Maximum number of runs of one chunk. It is larger than the maximum tries of a job, because interrupted runs are
 * counted as well.
 */
const MAX_RUNS = 12
const MAX_ERROR = 500

/**
 * Error of a task whose kind or input only a process of a newer release knows. The task does not fail, and waits for
 * such a process.
 */
class UnknownTaskKind extends Error {
  override readonly name = 'unknown-kind'
}

/** Name of the kind in a row. Rows of parallel tasks have the id after the kind, because `kind` is unique among running tasks. */
const kindOf = ({ kind }: TaskRow): string => kind.split(' ')[0] ?? kind

/** The task of a row, as operations return it. */
export const taskOf = (row: TaskRow): Task => ({
  id: row.id,
  kind: kindOf(row),
  dry_run: row.dry_run,
  state: row.state,
  seen: row.seen,
  changed: row.changed,
  bytes: row.bytes,
  total: row.total,
  notes: row.notes,
  error: row.error,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

interface NewTask<I> {
  /** Id of the task; a new one by default. */
  id?: string
  by: Pick<Viewer, 'id'> | null
  input: I
  dryRun: boolean
}

/**
 * Stores a task and queues its first job, in the transaction of the caller. Throws 422 if another task of its kind is running, unless
 * the kind is `parallel`.
 */
export const startTaskIn = async <C extends TaskContext, I>(
  ctx: C,
  tx: Tx,
  contracts: TaskContracts,
  kind: TaskKind<C, I>,
  { id = ctx.ids.next(), by, input, dryRun }: NewTask<I>,
): Promise<Task> => {
  const at = ctx.clock.date()
  const row = await insertTask(tx, {
    id,
    kind: kind.parallel ? `${kind.name} ${id}` : kind.name,
    input,
    dry_run: dryRun,
    started_by: by?.id ?? null,
    at,
    next_at: new Date(at.getTime() + LOST_MS),
  })
  if (!row) {
    const other = await runningTask(tx, kind.name)
    throw invalidField(
      other
        ? errorText('Task {kind} is already running with the id {id}', { kind: kind.name, id: other.id })
        : errorText('Task {kind} is already running', { kind: kind.name }),
    )
  }
  if (!dryRun && kind.act) {
    const act = kind.act(input)
    await ctx.announce(tx, contracts.started, {
      by: by?.id ?? null,
      ...act,
      targetId: act.targetId ?? row.id,
      before: null,
      after: act.targetId === undefined ? input : { ...input, task_id: row.id },
    })
  }
  await ctx.queue(tx, contracts.run, { id: row.id })
  return taskOf(row)
}

/** Stores a task and queues its first job, like `startTaskIn`, in a transaction of its own. */
export const startTask = <C extends TaskContext, I>(
  ctx: C,
  contracts: TaskContracts,
  kind: TaskKind<C, I>,
  task: NewTask<I>,
): Promise<Task> => ctx.db.tx((tx) => startTaskIn(ctx, tx, contracts, kind, task))

/** Runs one chunk. Returns true when the next chunk may start immediately. */
const runChunk = async <C extends TaskContext>(
  ctx: C,
  contracts: TaskContracts,
  kind: TaskKind<C>,
  row: TaskRow,
  isLastOfJob: boolean,
): Promise<boolean> => {
  const step = { id: row.id, input: row.input, after: row.position, dryRun: row.dry_run }
  const prepared = await kind.prepare?.(ctx, step)
  return ctx.db.tx(async (tx) => {
    if (!(await lockTask(tx, row.id, row.position))) return false
    const chunk = await kind.apply(ctx, tx, step, prepared)
    const { next, seen, changed, bytes = 0, notes = {}, pauseMs = 0 } = chunk
    if (next === row.position) throw new Error(`the task ${kind.name} did not move on from ${next}`)
    const at = ctx.clock.date()
    const next_at = new Date(at.getTime() + (pauseMs || LOST_MS))
    await advanceTask(tx, row.id, { next, seen, changed, bytes, notes, at, next_at })
    const goesOn = next !== null && pauseMs === 0
    if (goesOn && isLastOfJob) await ctx.queue(tx, contracts.run, { id: row.id })
    return goesOn && !isLastOfJob
  })
}

/** Stops a task, and adds that to the audit log unless the task is a dry run. Returns null if the task is not running. */
const stopRunning = <C extends TaskContext>(
  ctx: C,
  contracts: TaskContracts,
  by: Pick<Viewer, 'id'> | null,
  id: string,
): Promise<TaskRow | null> =>
  ctx.db.tx(async (tx) => {
    const row = await stopTask(tx, id, ctx.clock.date())
    if (row && !row.dry_run)
      await ctx.announce(tx, contracts.stopped, {
        by: by?.id ?? null,
        action: 'stop_task',
        targetId: id,
        target: kindOf(row),
        before: { state: 'running' },
        after: { state: row.state, seen: row.seen, changed: row.changed },
      })
    return row
  })

/** Handlers of the tasks of one service. */
export const taskHandlers = <C extends TaskContext>(contracts: TaskContracts, kinds: readonly TaskKind<C>[]) => {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const known = async (ctx: C, id: string): Promise<TaskRow> => {
    const row = await taskById(ctx.db, id)
    if (!row) throw notFound()
    return row
  }
  const work = async (ctx: C, id: string): Promise<void> => {
    const until = performance.now() + JOB_MS
    for (let goesOn = true; goesOn; ) {
      const row = await taskById(ctx.db, id)
      if (row?.state !== 'running') return
      const kind = byName.get(kindOf(row))
      if (!kind || kind.knows?.(row.input) === false) throw new UnknownTaskKind(`there is no task ${row.kind}`)
      const runs = await countTaskRun(ctx.db, id, row.position)
      if (runs === null) continue
      if (runs > MAX_RUNS) {
        const error = `The workers of this chunk were lost ${MAX_RUNS} times`
        await noteTaskFailure(ctx.db, id, { error, isLast: true, at: ctx.clock.date() })
        return ctx.log.error({ task: id }, 'a task failed: its workers were lost')
      }
      if (row.position === '' && row.total === null && kind.total)
        await setTaskTotal(ctx.db, id, Math.max(0, Math.round(await kind.total(ctx, row.input))))
      goesOn = await runChunk(ctx, contracts, kind, row, performance.now() > until)
    }
  }
  return {
    async list(ctx: C, _viewer: unknown, page: Cursor): Promise<Reply<Task[]>> {
      const rows = await taskPage(ctx.db, page)
      const ids = rows.map((row) => row.id)
      return pageReply<Task>(
        contracts.list.output,
        rows.map((row) => toJson(taskOf(row))),
        endsOf(ids, page),
      )
    },
    async show(ctx: C, _viewer: unknown, { id }: { id: string }): Promise<Task> {
      return taskOf(await known(ctx, id))
    },
    async stop(ctx: C, viewer: Viewer | null, { id }: { id: string }): Promise<Task> {
      const row = await known(ctx, id)
      const needed = byName.get(kindOf(row))?.permission
      const permission = (typeof needed === 'function' ? needed(row.input) : needed) ?? 'administrator'
      if (viewer && !permits({ permission }, viewer.permissions)) throw fail('forbidden', 'This action is not allowed')
      return taskOf((await stopRunning(ctx, contracts, viewer, id)) ?? row)
    },
    /** Handler of the job that runs chunks of a task. */
    async run(ctx: C, { id }: { id: string }, { tries }: JobMeta): Promise<void> {
      await work(ctx, id).catch(async (error: unknown) => {
        const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR)
        const isLast = tries >= contracts.run.retry.times
        if (error instanceof UnknownTaskKind) {
          // The task stays running. The tick `resume` queues it again, for a process of a release with this kind.
          if (!isLast) throw error
          return
        }
        await noteTaskFailure(ctx.db, id, { error: text, isLast, at: ctx.clock.date() })
        if (!isLast) throw error
        ctx.log.error({ error, task: id }, 'a task failed')
      })
    },
    /** Handler of the tick that queues jobs for tasks with a due chunk. */
    async resume(ctx: C): Promise<void> {
      const now = ctx.clock.now()
      if (!(await isTaskDue(ctx.db, new Date(now)))) return
      const due = await takeDueTasks(ctx.db, new Date(now), new Date(now + LOST_MS))
      await ctx.queues.push(
        contracts.run,
        ...due.map(({ id, position }) => ({ id: `${id}-${position}-${now}`, data: { id } })),
      )
    },
  }
}
