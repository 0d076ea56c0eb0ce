/** Names of this module that other modules use. */
export { usableInvite } from './check.js'
export type { UsableInvite } from './rules.js'
export { useInvite } from './store.js'
