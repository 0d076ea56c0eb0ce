/** The exports of this module for other modules. */
export { addToOwnHome, mergeAccountIntoHome, removeAccountFromHome } from './change.js'
export { homeKey, isBuilding } from './store.js'
