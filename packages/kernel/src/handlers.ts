/** Entry points of a service: operations, reactions, jobs and ticks, each with the contract that it fulfils. */
import type {
  AnyEvent,
  AnyJob,
  AnyOperation,
  HandlerResult,
  Happened,
  Operation,
  ViewerFor,
} from '@murmuration/contracts/kit'
import type { z } from 'zod'
import type { Request } from './request.js'

/** Handler of an operation. Its arguments are the context, the viewer, the validated input, and the other parts of the request. */
export type Handler<C, Op extends AnyOperation> =
  Op extends Operation<infer I, infer O, infer K>
    ? (ctx: C, viewer: ViewerFor<K>, input: z.output<I>, request: Request) => Promise<HandlerResult<O>>
    : never

// biome-ignore lint/suspicious/noExplicitAny: a manifest contains handlers of every type.
type Any = any

export interface Entry<Kind extends string> {
  readonly entry: Kind
}
export interface OperationEntry extends Entry<'operation'> {
  readonly operation: AnyOperation
  readonly run: (ctx: Any, viewer: Any, input: Any, request: Request) => Promise<unknown>
}
export interface ReactionEntry extends Entry<'reaction'> {
  readonly event: AnyEvent
  /** File name without `.ts`: `on-favourite-created`. The file name is also the name of the durable. */
  readonly name: string
  readonly concurrency: number
  readonly run: (ctx: Any, event: Any) => Promise<void>
  /** Handles several waiting events in one call. */
  readonly runAll?: (ctx: Any, events: readonly Any[]) => Promise<void>
}
export interface JobEntry extends Entry<'job'> {
  readonly job: AnyJob
  readonly run: (ctx: Any, data: Any, meta: JobMeta) => Promise<void>
  /** Handles several waiting jobs in one call. */
  readonly runAll?: (ctx: Any, all: readonly Any[], metas: readonly JobMeta[]) => Promise<void>
  /**
   * Divides a suspect job, which may have crashed a process, into smaller jobs. They run one by one. Jobs with `divide`
   * have no `gaveUp`, because a divided job counts as processed before its parts become dead letters.
   */
  readonly divide?: (data: Any) => readonly unknown[]
  /**
   * Called when a job became a dead letter, also if its handler did not run because it crashed processes. May be called
   * again for the same job. If `gaveUp` fails, the dead letter stays, and `gaveUp` alone is called again after a minute.
   */
  readonly gaveUp?: (ctx: Any, data: Any, meta: Pick<JobMeta, 'id'>) => Promise<void>
  /** Data with which a job runs that an operator restored after it became a dead letter. Absent: the data of the job. */
  readonly restored?: (data: Any) => unknown
}
export interface TickEntry extends Entry<'tick'> {
  readonly name: string
  readonly everyMs: number
  /** True: the tick runs in one process of the cluster at a time. False: it runs in each process. */
  readonly alone: boolean
  readonly run: (ctx: Any) => Promise<void>
  /**
   * Called instead of `run` while another process holds the lease of the tick. Removes metrics that only the process
   * with the lease reports.
   */
  readonly elsewhere?: () => void
}

/** Maximum number of events in batches that one process handles at the same time. */
const BATCH_CONCURRENCY = 128

export interface JobMeta {
  readonly id: string
  /** Number of the current try; 1 for the first one. */
  readonly tries: number
  /**
   * Releases the worker slot while the job continues. For handlers that wait for other servers, and limit these waits
   * themselves. Absent for jobs that are not from a queue.
   */
  readonly free?: () => void
}

/**
 * Functions that make the entry points of one service, typed by its context.
 * @example export const { handle, react, work, tick } = handlersFor<Context>()
 */
export const handlersFor = <C>() => ({
  handle: <Op extends AnyOperation>(operation: Op, run: Handler<C, Op>): OperationEntry => ({
    entry: 'operation',
    operation,
    run: run as Any,
  }),
  react: <E extends AnyEvent>(
    event: E,
    name: string,
    run: (ctx: C, event: ReactionEvent<E>) => Promise<void>,
    more: { concurrency?: number } = {},
  ): ReactionEntry => ({
    entry: 'reaction',
    event,
    name,
    concurrency: more.concurrency ?? 16,
    run: run as Any,
  }),
  /** Handles waiting events in batches. If a batch fails, each of its events is handled again alone. */
  reactAll: <E extends AnyEvent>(
    event: E,
    name: string,
    runAll: (ctx: C, events: readonly ReactionEvent<E>[]) => Promise<void>,
    more: { concurrency?: number } = {},
  ): ReactionEntry => ({
    entry: 'reaction',
    event,
    name,
    concurrency: more.concurrency ?? BATCH_CONCURRENCY,
    run: (ctx: C, one: ReactionEvent<E>) => runAll(ctx, [one]),
    runAll: runAll as Any,
  }),
  work: <J extends AnyJob>(
    job: J,
    run: (ctx: C, data: z.infer<J['data']>, meta: JobMeta) => Promise<void>,
    more: {
      gaveUp?: (ctx: C, data: z.infer<J['data']>, meta: Pick<JobMeta, 'id'>) => Promise<void>
      restored?: (data: z.infer<J['data']>) => z.infer<J['data']>
    } = {},
  ): JobEntry => ({ entry: 'job', job, run: run as Any, ...more }),
  /** Handles waiting jobs in batches. */
  workAll: <J extends AnyJob>(
    job: J,
    runAll: (ctx: C, all: readonly z.infer<J['data']>[], metas: readonly JobMeta[]) => Promise<void>,
    more: { divide?: (data: z.infer<J['data']>) => readonly z.infer<J['data']>[] } = {},
  ): JobEntry => ({
    ...(more.divide && { divide: more.divide as Any }),
    entry: 'job',
    job,
    run: (ctx: C, data: z.infer<J['data']>, meta: JobMeta) => runAll(ctx, [data], [meta]),
    runAll: runAll as Any,
  }),
  tick: (
    name: string,
    everyMs: number,
    run: (ctx: C) => Promise<void>,
    more: { alone?: boolean; elsewhere?: () => void } = {},
  ): TickEntry => ({
    entry: 'tick',
    name,
    everyMs,
    alone: more.alone ?? true,
    ...(more.elsewhere && { elsewhere: more.elsewhere }),
    run: run as Any,
  }),
})

/** An event as its reaction receives it. `consumer` is the durable name, under which `processOnce` records the event. */
export type ReactionEvent<E extends AnyEvent> = Happened<E> & { readonly consumer: string }
