/** Everything that might trend, for staff. */
import { trendList } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { trendIds } from '../../store/trend.js'
import { reviewedTexts } from '../../views/trend.js'

export const list = handle(trendList, async (ctx, _viewer, { kind, by, languages, limit, offset }) => {
  const ids = await trendIds(ctx.db, kind, { allowed: 'any', languages, without: [], limit, offset })
  return { items: await reviewedTexts(ctx, kind, by, ids) }
})
