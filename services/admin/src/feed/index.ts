/** The kinds of tasks about feeds. */
export { buildFeedsKind, clearFeedsKind } from './renew.js'
