/** Names of this module that other modules use. */
export { mergeIn, putIntoOwn, takeOut } from './change.js'
export { homeKey, isBuilding } from './store.js'
