/** The kinds of tasks that prune remote accounts, remote statuses, and pictures of preview cards. */
export { previewCardsKind } from './preview-cards.js'
export { pruneKind } from './prune.js'
export { statusesKind } from './statuses.js'
