/** The kinds of tasks that prune. */
export { previewCardsKind } from './preview-cards.js'
export { pruneKind } from './prune.js'
export { statusesKind } from './statuses.js'
