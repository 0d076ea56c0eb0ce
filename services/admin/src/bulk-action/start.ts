/** Starts a bulk action with its fixed selection. A dry run only plans the bulk action. */
import {
  adminTasks,
  type BulkAction,
  type BulkNoun,
  MAX_BULK_ITEMS,
  MAX_UNDO_ITEMS,
} from '@murmuration/contracts/admin'
import { errorText, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { startTaskIn } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { kindOf } from './kinds.js'
import { checkExpected } from './rules.js'
import { bulkActionKind } from './run.js'
import { type BulkActionRow, insertBulkAction, insertItems } from './store.js'
import { bulkActionOf, planOf } from './view.js'

interface Wanted {
  noun: BulkNoun
  action: string
  ids: readonly string[]
  expected: number | null | undefined
  dry: boolean
  reason: string | null
  notify: boolean
  undoes: string | null
}

const started = (
  row: Omit<BulkActionRow, 'state' | 'seen' | 'changed' | 'notes' | 'error' | 'finished_at' | 'undone_by'>,
) =>
  bulkActionOf(
    { ...row, state: 'running', seen: 0, changed: 0, notes: {}, error: null, finished_at: null, undone_by: null },
    [],
  )

/**
 * Stores a bulk action with its items and starts its task. A dry run stores nothing and returns the plan. Throws 409 if
 * the caller expects another number of items, and 422 if there are too many items or none.
 */
export const startBulkAction = async (ctx: Context, by: Viewer | null, wanted: Wanted): Promise<BulkAction> => {
  const { noun, action, ids, reason, notify, undoes } = wanted
  const max = undoes === null ? MAX_BULK_ITEMS : MAX_UNDO_ITEMS
  if (ids.length > max) throw invalidField(errorText('Selection has too many items (maximum is {most})', { most: max }))
  checkExpected(wanted.expected, ids.length)
  const id = ctx.ids.next()
  if (wanted.dry) {
    const evaluated = await kindOf(noun, action).evaluate(ctx, { id, action, by, reason, notify }, ids)
    return planOf({ noun, action, text: reason, undoes }, evaluated)
  }
  if (ids.length === 0) throw invalidField('Nothing matches the selection')
  const found = ids.length
  const row = { id, noun, action, reason, notify, started_by: by, undoes, found, created_at: ctx.clock.date() }
  await ctx.db.tx(async (tx) => {
    await insertBulkAction(tx, row)
    await insertItems(tx, id, ids)
    await startTaskIn(ctx, tx, adminTasks, bulkActionKind, { id, by, input: { noun, action, found }, dryRun: false })
  })
  return started(row)
}
