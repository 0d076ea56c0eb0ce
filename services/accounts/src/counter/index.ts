/** The exports of this module for other modules. */
export { countFollows } from './count.js'
export type { Counters } from './store.js'
