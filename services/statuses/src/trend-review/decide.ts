/** Stores decisions of staff about trends and applies them to the lists of trends at once. */
import { type Json, notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { announceTaxonomy, recordedTaxonomy } from '../taxonomy/index.js'
import { lockTrends, review, reviewedTexts, scoreTrends, type TrendKind } from '../trend/index.js'

/**
 * Stores a decision of staff about a trending item and returns the item's JSON.
 * @throws not_found if the item does not exist or `by` may not see it
 */
export const decideTrend = async <T>(
  ctx: Context,
  kind: TrendKind,
  decision: { by: Viewer; id: string; trendable: boolean },
): Promise<Json<T>> => {
  const { by, id, trendable } = decision
  const outcome = await ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    const before = await recordedTaxonomy(tx, kind, id)
    const stored = await review(tx, kind, id, trendable, ctx.clock.date())
    const action = `${trendable ? 'approve' : 'reject'}_trend_${kind}` as const
    if (before && stored) await announceTaxonomy(ctx, tx, by, { action, kind, before })
    return stored
  })
  if (outcome === null) throw notFound()
  // If the approved item has no score yet, all trends are scored at once. This lists the item without waiting for the
  // next tick.
  if (outcome === 'unscored' && trendable) await scoreTrends(ctx)
  const [item] = await reviewedTexts(ctx, kind, by.id, [id])
  if (item === undefined) throw notFound()
  return item as Json<T>
}
