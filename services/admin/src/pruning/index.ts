/** The kind of task that prunes. */
export { pruneKind } from './prune.js'
