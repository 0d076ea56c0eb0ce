/** Bulk approval and rejection of trends, which the statuses service owns. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { approveTrendLink, approveTrendStatus, approveTrendTag, decideTrends } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import type { BulkKind } from './kind.js'
import { changingOf, type Evaluation, evaluateRecords, type Order } from './rules.js'
import { beginItems } from './store.js'

const MAX_TRENDS = 500
const NEEDS = { tag: approveTrendTag, link: approveTrendLink, status: approveTrendStatus } as const
type Kind = keyof typeof NEEDS

interface Options {
  kind: Kind
  order: Order
  dry: boolean
}

/** Approves or rejects trends. A dry run returns the trends that would change. */
const decideItems = async (
  ctx: Context,
  ids: readonly string[],
  { kind, order, dry }: Options,
): Promise<Evaluation> => {
  const { id: batchId, by, reason, action } = order
  const wanted = { kind, trendable: action === 'approve', by: by?.id ?? null, batchId, reason, dry }
  const results = await Promise.all(
    chunk(ids, MAX_TRENDS).map((some) => ctx.call(decideTrends, { ...wanted, ids: some })),
  )
  const items = new Map(results.flatMap((result) => result.items).map((item) => [item.id, item]))
  return evaluateRecords(ids, items, {
    nameOf: ({ target }) => target,
    skipOf: ({ changed }) => (changed ? null : 'already'),
  })
}

export const trends = (kind: Kind): BulkKind => ({
  needs: NEEDS[kind] as AnyOperation,
  chunk: 200,
  evaluate: (ctx, order, ids) => decideItems(ctx, ids, { kind, order, dry: true }),
  /**
   * Changes the items. Items with `begun` are changed again, because an earlier run may have changed them without
   * storing the outcome.
   */
  async prepare(ctx, order, items) {
    const begun = new Set(items.flatMap((item) => (item.begun ? [item.id] : [])))
    const ids = items.map(({ id }) => id)
    const evaluated = await decideItems(ctx, ids, { kind, order, dry: true })
    const fresh = changingOf(evaluated).filter((id) => !begun.has(id))
    if (fresh.length > 0) await beginItems(ctx.db, order.id, fresh)
    const changing = [...begun, ...fresh]
    if (changing.length > 0) await decideItems(ctx, changing, { kind, order, dry: false })
    const outcome = new Map(
      [...evaluated].map(([id, one]) => [id, begun.has(id) && one.skip === 'already' ? { ...one, skip: null } : one]),
    )
    return async () => outcome
  },
})
