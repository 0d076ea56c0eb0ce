/** Kinds of tasks: the work of one chunk, the permission that it needs, and its entry in the audit log. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { PermissionName } from '@murmuration/contracts/permissions'
import type { Tx } from '@murmuration/db'

export interface TaskStep<I> {
  /** Id of the task. */
  id: string
  input: I
  /** Position after which this chunk begins; empty for the first chunk. */
  after: string
  /** If true, the chunk only counts the items, and changes nothing. */
  dryRun: boolean
}

export interface Chunk {
  /** Position after which the next chunk begins; null after the last chunk. */
  next: string | null
  seen: number
  changed: number
  bytes?: number
  notes?: Record<string, number>
  /** Milliseconds from the end of this chunk to the start of the next one. */
  pauseMs?: number
}

/** A kind of task. `prepare` runs outside of the transaction and must be safe to repeat; `apply` is the transaction. */
// biome-ignore lint/suspicious/noExplicitAny: a service has kinds with inputs of every type.
export interface TaskKind<C, I = any, P = any> {
  readonly name: string
  /**
   * Permission of staff that may start and stop tasks of the kind. It may depend on the input. Several permissions have
   * `|` between them, and one of them suffices.
   */
  readonly permission: PermissionName | ((input: I) => string | undefined)
  /**
   * False for inputs that only processes of a newer release can handle. A task with such an input does not fail, and
   * waits for such a process.
   */
  knows?(input: I): boolean
  /**
   * Entry of the task in the audit log. `targetId`: id of the account that the task changes; by default the id of the
   * task. Kinds without `act` write their own entries.
   */
  act?(input: I): { action: AuditAction; target: string; targetId?: string }
  /** True when several tasks of the kind may run at a time. */
  readonly parallel?: boolean
  /** Returns the expected number of items of the task. */
  total?(ctx: C, input: I): Promise<number>
  prepare?(ctx: C, step: TaskStep<I>): Promise<P>
  apply(ctx: C, tx: Tx, step: TaskStep<I>, prepared: P): Promise<Chunk>
}

/** Infers the types of a task kind. */
export const taskKind =
  <C>() =>
  <I, P = undefined>(kind: TaskKind<C, I, P>): TaskKind<C, I, P> =>
    kind
