/** Reversals of actions on one row: compares the row with the entry, and restores the state before. */

import type { AuditAction, UndoObstacle } from '@murmuration/contracts/admin'
import type { AnyOperation, Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { restorationOf, stateIn } from '@murmuration/kernel'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { hiddenOf } from '../core/audit-log/store.js'
import { changePolicy } from '../core/change-policy.js'
import { claim, type Outcome, POSSIBLE, type Reversal, recordUndos, type UndoRequest } from './reversal.js'

/**
 * A change that undoes an audit log entry. `row`: the current row, null if none exists. `to`: the recorded state to restore, null to
 * remove the row.
 */
export interface RowChange<Row, State> {
  id: string
  row: Row | null
  to: State | null
  by: Viewer | null
}

export interface RowNoun<Row extends object, State extends object> {
  needs: AnyOperation
  /** Schema of the state that audit log entries contain. */
  recorded: z.ZodType<State>
  /**
   * Converts the value in an audit log entry to the shape of `recorded`. `recordedOf` is needed only for nouns whose
   * entries store another shape.
   */
  recordedOf?(recorded: unknown): unknown
  /** The inverse of `recordedOf`: converts a state to the value that an entry stores. */
  recordOf?(state: State | null): unknown
  /** The part of a state that audit log entries do not contain, because it may be secret. */
  hiddenOf?(state: State): object
  /** Fields that change without an action of staff, and so are ignored when the row is compared with the entry. */
  passing?: readonly (keyof State & string)[]
  /** True if the rows are part of the published policy. */
  isPublished?: boolean | ((id: string) => boolean)
  /** True if the actor's role has the permissions that the states before and after the undo require. */
  permits?(by: Viewer, states: readonly State[]): boolean
  /** The row that an entry is about, locked until the transaction ends. */
  lock(tx: Tx, id: string): Promise<Row | null>
  /** Applies the undo: stores the row again, changes it or removes it. */
  store(ctx: Context, tx: Tx, change: RowChange<Row, State>): Promise<void>
  /** Runs after the commit of the undo. */
  committed?(ctx: Context, change: RowChange<Row, State>): Promise<void> | void
}

/** Error that rolls back the transaction of an undo that meets an obstacle. */
class UndoObstacleError extends Error {
  readonly obstacle: UndoObstacle

  constructor(obstacle: UndoObstacle) {
    super(obstacle)
    this.obstacle = obstacle
  }
}
export const undoObstacle = (obstacle: UndoObstacle): Error => new UndoObstacleError(obstacle)

/** Schema of a time in audit log entries. */
export const recordedDate = () => z.string().transform((text) => new Date(readTime(text)))

const OPPOSITE: readonly (readonly [RegExp, string])[] = [
  [/^destroy_invite/, 'enable_invite'],
  [/^enable_invite/, 'destroy_invite'],
  [/^memorialize_/, 'unmemorialize_'],
  [/^unmemorialize_/, 'memorialize_'],
  [/^create_/, 'destroy_'],
  [/^destroy_/, 'create_'],
  [/^enable_/, 'disable_'],
  [/^disable_/, 'enable_'],
]

/** Action name of the audit log entry that an undo adds: the opposite of the undone action. */
export const oppositeOf = (action: AuditAction): AuditAction => {
  const [pattern, verb] = OPPOSITE.find(([one]) => one.test(action)) ?? []
  return pattern && verb !== undefined ? (action.replace(pattern, verb) as AuditAction) : action
}

/** The change that undoes an entry. If the entry cannot be undone, throws the obstacle. */
const changeOf = async <Row extends object, State extends object>(
  noun: RowNoun<Row, State>,
  tx: Tx,
  entry: AuditRow,
  by: Viewer | null,
): Promise<RowChange<Row, State> & { from: State | null }> => {
  const id = entry.target_id ?? ''
  const row = await noun.lock(tx, id)
  const from = stateIn(noun.recorded, row)
  const hidden = noun.hiddenOf ? await hiddenOf(tx, entry.id) : { before: null, after: null }
  if (hidden === null) throw undoObstacle('is_deleted')
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const recorded = noun.recordedOf?.(entry[side]) ?? entry[side]
    return hidden[side] === null ? recorded : { ...(recorded as object), ...(hidden[side] as object) }
  })
  const restoration = restorationOf(noun.recorded, { before, after }, from, noun.passing)
  if (typeof restoration === 'string') throw undoObstacle(restoration === 'already' ? 'changed_since' : restoration)
  const { to } = restoration
  const states = [from, to].filter((state) => state !== null)
  if (by !== null && noun.permits && !noun.permits(by, states)) throw undoObstacle('not_permitted')
  return { id, row, to, by, from }
}

const outcomeOf = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UndoObstacleError) return { obstacle: error.obstacle }
    throw error
  }
}

/** Undoes one audit log entry about a row. */
const reverseRow = async <Row extends object, State extends object>(
  noun: RowNoun<Row, State>,
  ctx: Context,
  entry: AuditRow,
  request: UndoRequest,
): Promise<Outcome> => {
  if (request.dry)
    return ctx.db.tx(async (tx) => {
      await changeOf(noun, tx, entry, request.by)
      return POSSIBLE
    })
  const work = async (tx: Tx) => {
    const { from, ...change } = await changeOf(noun, tx, entry, request.by)
    const { claimed, outcomes } = await claim(ctx, tx, [entry], request)
    if (claimed.size === 0) throw undoObstacle('already_undone')
    await noun.store(ctx, tx, change)
    const recordOf = noun.recordOf ?? ((state: State | null) => state)
    const action = oppositeOf(entry.action)
    const hide = (state: State | null) => (state === null ? null : (noun.hiddenOf?.(state) ?? null))
    const hidden = noun.hiddenOf ? { before: hide(from), after: hide(change.to) } : undefined
    const restored = { entry, action, before: recordOf(from), after: recordOf(change.to), hidden }
    await recordUndos(ctx, tx, claimed, [restored], request)
    return { change, outcome: outcomes.get(entry.id) ?? POSSIBLE }
  }
  const { isPublished = false } = noun
  const publishes = typeof isPublished === 'function' ? isPublished(entry.target_id ?? '') : isPublished
  const { change, outcome } = await (publishes ? changePolicy(ctx, work) : ctx.db.tx(work))
  await noun.committed?.(ctx, change)
  return outcome
}

/** The reversal of actions on one kind of row, which undoes one entry per transaction. */
export const rowReversal = <Row extends object, State extends object>(noun: RowNoun<Row, State>): Reversal => ({
  needs: noun.needs,
  reverse: async (ctx, entries, request) =>
    new Map(
      await Promise.all(
        entries.map(async (entry) => [entry.id, await outcomeOf(() => reverseRow(noun, ctx, entry, request))] as const),
      ),
    ),
})
