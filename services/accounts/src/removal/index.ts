/** The exports of this module for other modules. */
export { remove, removeUnused } from './remove.js'
export { selfDestructKind } from './self-destruct.js'
export { stillSuspended } from './store.js'
