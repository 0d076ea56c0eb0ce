/** The exports of this module for other modules. */
export { outboxIds, outboxTotal } from './store.js'
