/**
 * Handlers of bulk actions on trends: selecting trends without a decision, and approving or rejecting several. `dry`
 * only returns the changes.
 */
import { decideTrends, undecidedTrends } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { announceTaxonomies, lockTaxonomies } from '../taxonomy/index.js'
import { lockTrends, reviewAll, scoreTrends, undecidedTrendIds } from '../trend/index.js'

export const undecided = handle(undecidedTrends, async (ctx, _viewer, { kind, limit }) => ({
  ids: await undecidedTrendIds(ctx.db, kind, limit),
}))

export const decideAll = handle(
  decideTrends,
  async (ctx, _viewer, { kind, ids, trendable, by, batchId, reason, dry }) => {
    const { rows, isUnscored } = await ctx.db.tx(async (tx) => {
      await lockTrends(tx)
      const rows = await lockTaxonomies(tx, kind, ids)
      const before = rows.filter(({ state }) => state.trendable !== trendable)
      if (dry || before.length === 0) return { rows, isUnscored: false }
      const changing = before.map((row) => row.id)
      const { stored, scored } = await reviewAll(tx, kind, changing, trendable, ctx.clock.date())
      const action = `${trendable ? 'approve' : 'reject'}_trend_${kind}` as const
      await announceTaxonomies(ctx, tx, by === null ? null : { id: by }, { action, kind, before, batchId, reason })
      return { rows, isUnscored: scored < stored }
    })
    // Approved trends are listed at once, even without a score.
    if (isUnscored && trendable) await scoreTrends(ctx)
    return { items: rows.map(({ id, target, state }) => ({ id, target, changed: state.trendable !== trendable })) }
  },
)
