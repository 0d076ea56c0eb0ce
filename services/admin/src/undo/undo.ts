/** Undoes entries of the audit log, each by the reversal of its action. */
import type { UndoObstacle } from '@murmuration/contracts/admin'
import { permits } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import type { ListedRow } from '../core/audit-log/store.js'
import { reversalOf } from './registry.js'
import type { Outcome, UndoRequest } from './reversal.js'
import { FINAL } from './rules.js'

/** Obstacle of an undo that does not depend on the current state of the target; null if there is none. */
const obstacleOf = (entry: ListedRow, { by }: UndoRequest): UndoObstacle | null => {
  const reversal = reversalOf(entry.action)
  if (!reversal) return FINAL[entry.action] ?? 'not_recorded'
  if (entry.undone_by !== null) return 'already_undone'
  return by === null || permits(reversal.needs.viewer, by.permissions) ? null : 'not_permitted'
}

/** Undoes audit log entries about different targets. Returns the outcome of each entry by id. */
export const undoEntries = async (
  ctx: Context,
  entries: readonly ListedRow[],
  request: UndoRequest,
): Promise<Map<string, Outcome>> => {
  const evaluated = entries.map((entry) => ({ entry, obstacle: obstacleOf(entry, request) }))
  const refused = evaluated.flatMap(({ entry, obstacle }) => (obstacle ? [[entry.id, { obstacle }] as const] : []))
  const free = evaluated.flatMap(({ entry, obstacle }) => (obstacle ? [] : [entry]))
  const outcomes = await Promise.all(
    [...Map.groupBy(free, (entry) => entry.action)].map(([action, own]) =>
      reversalOf(action)?.reverse(ctx, own, request),
    ),
  )
  return new Map<string, Outcome>([...refused, ...outcomes.flatMap((some) => [...(some ?? [])])])
}

/** Undoes one entry. A dry run only checks whether that is possible. */
export const undoEntry = async (ctx: Context, entry: ListedRow, request: UndoRequest): Promise<Outcome> =>
  (await undoEntries(ctx, [entry], request)).get(entry.id) ?? { obstacle: 'not_recorded' }
