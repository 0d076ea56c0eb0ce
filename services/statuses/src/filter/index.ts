/** The exports of this module for other modules. */
export { eraseFiltersOf } from './store.js'
