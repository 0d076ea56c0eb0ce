/** Names of this module that other modules use. */
export { eraseFiltersOf } from './store.js'
