/** The four doors as values: a handler, reaction, worker or tick bound to the contract it fulfils. */
import type {
  AnswerFor,
  AnyEvent,
  AnyJob,
  AnyOperation,
  Happened,
  Operation,
  ViewerFor,
} from '@murmuration/contracts/kit'
import type { z } from 'zod'
import type { Request } from './request.js'

/** Handles an operation: context, viewer, checked input, and the rest of the request for the few that need it. */
export type Handler<C, Op extends AnyOperation> =
  Op extends Operation<infer I, infer O, infer K>
    ? (ctx: C, viewer: ViewerFor<K>, input: z.output<I>, request: Request) => Promise<AnswerFor<O>>
    : never

// biome-ignore lint/suspicious/noExplicitAny: a manifest holds handlers of every type.
type Any = any

export interface Door<Kind extends string> {
  readonly door: Kind
}
export interface OperationDoor extends Door<'operation'> {
  readonly operation: AnyOperation
  readonly run: (ctx: Any, viewer: Any, input: Any, request: Request) => Promise<unknown>
}
export interface ReactionDoor extends Door<'reaction'> {
  readonly event: AnyEvent
  /** File name without `.ts`: `on-favourite-created`. Also the durable's name. */
  readonly name: string
  readonly concurrency: number
  readonly run: (ctx: Any, event: Any) => Promise<void>
  /** Takes events that are there at the same time in one piece. */
  readonly runAll?: (ctx: Any, events: readonly Any[]) => Promise<void>
}
export interface JobDoor extends Door<'job'> {
  readonly job: AnyJob
  readonly run: (ctx: Any, data: Any, meta: JobMeta) => Promise<void>
  /** Takes jobs that are there at the same time in one piece. */
  readonly runAll?: (ctx: Any, all: readonly Any[]) => Promise<void>
  /** Divides a job into smaller ones that can be run one by one. */
  readonly divide?: (data: Any) => readonly unknown[]
}
export interface TickDoor extends Door<'tick'> {
  readonly name: string
  readonly everyMs: number
  /** Runs on one process at a time across the cluster; otherwise on each. */
  readonly alone: boolean
  readonly run: (ctx: Any) => Promise<void>
  /** Called instead of `run` while another process holds the lease; withdraws metrics that only the holder reports. */
  readonly elsewhere?: () => void
}

/** Events in the hands of one process that takes them in pieces. */
const CROWD = 128

export interface JobMeta {
  readonly id: string
  /** 1 on the first try. */
  readonly tries: number
  /**
   * Gives the hand that holds the job to others; the job stays in this process until it is done. For who waits for others, and
   * knows how much waits. Absent where no queue brought the job.
   */
  readonly free?: () => void
}

/**
 * The doors of one service, typed by its context.
 * @example export const { handle, react, work, tick } = doors<Context>()
 */
export const doors = <C>() => ({
  handle: <Op extends AnyOperation>(operation: Op, run: Handler<C, Op>): OperationDoor => ({
    door: 'operation',
    operation,
    run: run as Any,
  }),
  react: <E extends AnyEvent>(
    event: E,
    name: string,
    run: (ctx: C, event: ReactionEvent<E>) => Promise<void>,
    more: { concurrency?: number } = {},
  ): ReactionDoor => ({
    door: 'reaction',
    event,
    name,
    concurrency: more.concurrency ?? 16,
    run: run as Any,
  }),
  /** For events that come in crowds: all that are there at once. When a piece fails, each of its events is tried alone. */
  reactAll: <E extends AnyEvent>(
    event: E,
    name: string,
    runAll: (ctx: C, events: readonly ReactionEvent<E>[]) => Promise<void>,
    more: { concurrency?: number } = {},
  ): ReactionDoor => ({
    door: 'reaction',
    event,
    name,
    concurrency: more.concurrency ?? CROWD,
    run: (ctx: C, one: ReactionEvent<E>) => runAll(ctx, [one]),
    runAll: runAll as Any,
  }),
  work: <J extends AnyJob>(
    job: J,
    run: (ctx: C, data: z.infer<J['data']>, meta: JobMeta) => Promise<void>,
  ): JobDoor => ({ door: 'job', job, run: run as Any }),
  /** The same for jobs that come in crowds. */
  workAll: <J extends AnyJob>(
    job: J,
    runAll: (ctx: C, all: readonly z.infer<J['data']>[]) => Promise<void>,
    more: { divide?: (data: z.infer<J['data']>) => readonly z.infer<J['data']>[] } = {},
  ): JobDoor => ({
    ...(more.divide && { divide: more.divide as Any }),
    door: 'job',
    job,
    run: (ctx: C, data: z.infer<J['data']>) => runAll(ctx, [data]),
    runAll: runAll as Any,
  }),
  tick: (
    name: string,
    everyMs: number,
    run: (ctx: C) => Promise<void>,
    more: { alone?: boolean; elsewhere?: () => void } = {},
  ): TickDoor => ({
    door: 'tick',
    name,
    everyMs,
    alone: more.alone ?? true,
    ...(more.elsewhere && { elsewhere: more.elsewhere }),
    run: run as Any,
  }),
})

/** An event as a reaction gets it; `consumer` names the reaction for `once`. */
export type ReactionEvent<E extends AnyEvent> = Happened<E> & { readonly consumer: string }
