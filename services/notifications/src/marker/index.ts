/** Names of this module that other modules use. */
export { markersOf } from './store.js'
