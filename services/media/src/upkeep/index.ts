/** Kinds of tasks for upkeep. */
export { orphansKind } from './orphans.js'
export { refreshKind } from './refresh.js'
export { removeKind } from './remove.js'
export { usageKind } from './usage.js'
