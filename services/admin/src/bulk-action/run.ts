/** The task that executes a bulk action in chunks. */
import { BULK_ACTIONS, type BulkNoun } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import type { Item } from './kind.js'
import { isPermitted, kindOf } from './kinds.js'
import { countsOf, type Evaluation, limitedTo, refuseAll, starterOf } from './rules.js'
import { bulkActionById, finishItems, itemsAfter } from './store.js'

interface Input {
  noun: BulkNoun
  action: string
  found: number
}

interface Prepared {
  items: readonly Item[]
  /** True if the chunk has the maximum number of items, so that more items may follow. */
  isFull: boolean
  change(tx: Tx): Promise<Evaluation>
}

/**
 * The account that started the bulk action, with its current permissions. Staff that lost its role or account changes
 * no further items.
 */
const currentStarter = async (ctx: Context, stored: unknown): Promise<Viewer | null> => {
  const by = starterOf(stored)
  return by && limitedTo(by, (await moderatedAccounts(ctx, [by.id])).get(by.id))
}

/** False for bulk actions that a newer release added and this release does not know. */
const isKnown = (noun: BulkNoun, action: string): boolean =>
  Object.hasOwn(BULK_ACTIONS, noun) && (BULK_ACTIONS[noun] as readonly string[]).includes(action)

export const bulkActionKind = taskKind<Context>()<Input, Prepared>({
  name: 'bulk-action',
  permission: ({ noun, action }) => (isKnown(noun, action) ? kindOf(noun, action).needs.viewer.permission : undefined),
  knows: ({ noun, action }) => isKnown(noun, action),
  parallel: true,
  total: async (_ctx, { found }) => found,
  async prepare(ctx, { id, input: { noun, action }, after }) {
    const kind = kindOf(noun, action)
    const row = await bulkActionById(ctx.db, id)
    const items = row === null ? [] : await itemsAfter(ctx.db, id, after || '-1', kind.chunk)
    if (row === null || items.length === 0) return { items, isFull: false, change: async () => new Map() }
    const isFull = items.length === kind.chunk
    const by = await currentStarter(ctx, row.started_by)
    if (!isPermitted(by, kind)) return { items, isFull, change: async () => refuseAll(items.map((one) => one.id)) }
    const { reason, notify } = row
    return { items, isFull, change: await kind.prepare(ctx, { id, action, by, reason, notify }, items) }
  },
  async apply(_ctx, tx, { id }, { items, isFull, change }) {
    const evaluated = await change(tx)
    const rows = [...evaluated].map(([target_id, { target, skip }]) => ({
      id: target_id,
      target,
      outcome: skip ?? 'changed',
    }))
    await finishItems(tx, id, rows)
    const { changed, skipped } = countsOf(evaluated)
    const next = isFull ? (items.at(-1)?.id ?? null) : null
    return { next, seen: items.length, changed, notes: skipped }
  },
})
