/** Names of this module that other modules use. */
export { goodInvite } from './check.js'
export type { GoodInvite } from './rules.js'
export { useInvite } from './store.js'
