/** Names of this module that other modules use. */
export { anyFollows, broughtBy, followersOfTags } from './follow.store.js'
