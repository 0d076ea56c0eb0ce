/** Bulk removal of domain blocks. */
import { removeDomainBlock } from '@murmuration/contracts/admin'
import { blocksById, type DomainBlockRow, deleteBlocks, lockBlocks } from '../core/domain-block.store.js'
import { nextRevision } from '../core/policy-revision.store.js'
import { recordBlockChanges } from '../domain-block/index.js'
import type { BulkKind } from './kind.js'
import { type Evaluation, evaluateRecords } from './rules.js'

const evaluate = (ids: readonly string[], rows: readonly DomainBlockRow[]): Evaluation =>
  evaluateRecords(ids, new Map(rows.map((row) => [row.id, row])), {
    nameOf: ({ domain }) => domain,
    skipOf: () => null,
  })

export const domainBlocks: BulkKind = {
  needs: removeDomainBlock,
  chunk: 200,
  evaluate: async (ctx, _order, ids) => evaluate(ids, await blocksById(ctx.db, ids)),
  async prepare(ctx, order, items) {
    const ids = items.map(({ id }) => id)
    return async (tx) => {
      await nextRevision(tx)
      const rows = await lockBlocks(tx, ids)
      if (rows.length > 0) {
        await deleteBlocks(
          tx,
          rows.map((row) => row.id),
        )
        const changes = rows.map((before) => ({ before, after: null }))
        await recordBlockChanges(ctx, tx, order.by, changes, { batchId: order.id, reason: order.reason ?? undefined })
        tx.onCommit(() => {
          ctx.publication.afterChange()
        })
      }
      return evaluate(ids, rows)
    }
  },
}
