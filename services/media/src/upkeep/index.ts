/** Kinds of maintenance tasks. */
export { orphansKind } from './orphans.js'
export { refreshKind } from './refresh.js'
export { releaseFiles, removeKind } from './remove.js'
export { usageKind } from './usage.js'
