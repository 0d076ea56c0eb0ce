/** The exports of this module for other modules. */
export { usableInvite } from './check.js'
export type { UsableInvite } from './rules.js'
export { useInvite } from './store.js'
