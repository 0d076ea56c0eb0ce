/** The exports of this module for other modules. */
export { eraseReportsOf } from './store.js'
