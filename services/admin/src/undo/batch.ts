/** Reversals of actions on rows in batches: each batch is one transaction. */
import type { AuditAction, UndoObstacle } from '@murmuration/contracts/admin'
import type { AnyOperation, Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { restorationOf, stateIn } from '@murmuration/kernel'
import type { z } from 'zod'
import type { Context } from '../context.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { changePolicy } from '../core/change-policy.js'
import { claim, type Outcome, POSSIBLE, type Reversal, recordUndos } from './reversal.js'

export interface BatchChange<Row, State> {
  entry: AuditRow
  id: string
  row: Row | null
  from: State | null
  to: State | null
}

export interface BatchNoun<Row extends { id: string }, State extends object> {
  needs: AnyOperation
  /** Schema of the state that audit log entries record. */
  recorded: z.ZodType<State>
  isPublished?: boolean
  /** Rows by id, locked until the transaction ends. */
  lock(tx: Tx, ids: readonly string[]): Promise<Row[]>
  /** Reasons why some rows cannot be restored, by audit log entry. */
  obstacles?(tx: Tx, changes: readonly BatchChange<Row, State>[]): Promise<Map<string, UndoObstacle>>
  store(ctx: Context, tx: Tx, changes: readonly BatchChange<Row, State>[], by: Viewer | null): Promise<void>
  /** Action name of the audit log entry that the undo adds. */
  actionOf(entry: AuditRow, to: State | null): AuditAction
}

type Evaluated<Row, State> = { changes: BatchChange<Row, State>[]; outcomes: Map<string, Outcome> }

const evaluate = async <Row extends { id: string }, State extends object>(
  noun: BatchNoun<Row, State>,
  tx: Tx,
  entries: readonly AuditRow[],
): Promise<Evaluated<Row, State>> => {
  const rows = new Map(
    (
      await noun.lock(
        tx,
        entries.flatMap((entry) => entry.target_id ?? []),
      )
    ).map((row) => [row.id, row]),
  )
  const changes: BatchChange<Row, State>[] = []
  const outcomes = new Map<string, Outcome>()
  for (const entry of entries) {
    const id = entry.target_id ?? ''
    const row = rows.get(id) ?? null
    const from = stateIn(noun.recorded, row)
    const restoration = restorationOf(noun.recorded, entry, from)
    if (typeof restoration === 'object') changes.push({ entry, id, row, from, to: restoration.to })
    else outcomes.set(entry.id, { obstacle: restoration === 'already' ? 'changed_since' : restoration })
  }
  const obstacles = changes.length === 0 ? undefined : await noun.obstacles?.(tx, changes)
  for (const [id, obstacle] of obstacles ?? []) outcomes.set(id, { obstacle })
  const possible = changes.filter(({ entry }) => !outcomes.has(entry.id))
  for (const { entry } of possible) outcomes.set(entry.id, POSSIBLE)
  return { changes: possible, outcomes }
}

/** The reversal of actions on one kind of row, which undoes many entries in one transaction. */
export const batchReversal = <Row extends { id: string }, State extends object>(
  noun: BatchNoun<Row, State>,
): Reversal => ({
  needs: noun.needs,
  async reverse(ctx, entries, request) {
    if (request.dry) return (await ctx.db.tx((tx) => evaluate(noun, tx, entries))).outcomes
    const work = async (tx: Tx): Promise<Map<string, Outcome>> => {
      const { changes, outcomes } = await evaluate(noun, tx, entries)
      if (changes.length === 0) return outcomes
      const claims = await claim(
        ctx,
        tx,
        changes.map(({ entry }) => entry),
        request,
      )
      const undone = changes.filter(({ entry }) => claims.claimed.has(entry.id))
      if (undone.length > 0) await noun.store(ctx, tx, undone, request.by)
      const restored = undone.map(({ entry, from, to }) => ({
        entry,
        action: noun.actionOf(entry, to),
        before: from,
        after: to,
      }))
      await recordUndos(ctx, tx, claims.claimed, restored, request)
      return new Map([...outcomes, ...claims.outcomes])
    }
    return noun.isPublished ? changePolicy(ctx, work) : ctx.db.tx(work)
  },
})
