/** What staff decides about trends. */
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { TrendKind } from '../domain/trend.js'
import { holdTrends, review } from '../store/trend.js'
import { reviewedTexts } from '../views/trend.js'

/** Notes a decision and answers with what was decided about; throws "not found" when it is not there, or not for `by` to see. */
export const decideTrend = async (
  ctx: Context,
  { kind, by, id }: { kind: TrendKind; by: string; id: string },
  trendable: boolean,
): Promise<{ item: string }> => {
  await ctx.db.tx(async (tx) => {
    await holdTrends(tx)
    if (!(await review(tx, kind, id, trendable, ctx.clock.date()))) throw notFound()
  })
  const [item] = await reviewedTexts(ctx, kind, by, [id])
  if (item === undefined) throw notFound()
  return { item }
}
