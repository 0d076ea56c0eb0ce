/** Names of this module that other modules use. */
export { remove, removeUnused } from './remove.js'
export { selfDestructKind } from './self-destruct.js'
export { stillSuspended } from './store.js'
