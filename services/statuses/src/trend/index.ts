/** The exports of this module for other modules. */
export { reviewedTexts, trendPage } from './page.js'
export { adjacentOffsets, type TrendKind } from './rules.js'
export { scoreTrends } from './score.js'
export {
  allowLinksOf,
  lockTrends,
  removeTrend,
  review,
  reviewAll,
  trendsForReview,
  undecidedTrendIds,
} from './store.js'
