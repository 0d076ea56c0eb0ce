/** Names of this module that other modules use. */
export { outboxIds, outboxTotal } from './store.js'
