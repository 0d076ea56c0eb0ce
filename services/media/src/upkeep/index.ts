/** The kinds of maintenance tasks of media, for other modules. */
export { orphansKind } from './orphans.js'
export { refreshKind } from './refresh.js'
export { releaseFiles, removeKind } from './remove.js'
export { usageKind } from './usage.js'
