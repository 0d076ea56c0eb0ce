/** Names of this module that other modules use. */
export { countFollows } from './count.js'
export type { Counters } from './store.js'
