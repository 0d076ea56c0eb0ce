/** The exports of this module for other modules. */
export { mergeIn, putIntoOwn, takeOut } from './change.js'
export { homeKey, isBuilding } from './store.js'
