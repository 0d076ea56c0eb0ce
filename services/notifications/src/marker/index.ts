/** The exports of this module for other modules. */
export { markersOf } from './store.js'
